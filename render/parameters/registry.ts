/** An image taken from another registry: `quay.io/a/b:1` from `mirror.example.com/x` is `mirror.example.com/x/a/b:1`. */
export function fromRegistry(image: string, registry: string | undefined): string {
  if (registry === undefined) return image;
  const [first = '', ...rest] = image.split('/');
  // As container runtimes tell a registry from the first part of a path.
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return `${registry}/${hasRegistry ? rest.join('/') : image}`;
}
