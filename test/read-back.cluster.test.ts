import { expect, it } from 'vitest';
import { formatYaml } from '../functions/yaml.ts';
import { describeCluster, sharedCluster, testNamespace } from './cluster/vitest.ts';
import { nastyConfigMap } from './nasty-strings.ts';

describeCluster('the API server', [], () => {
  it('reads every string as it was written', async () => {
    const { client } = sharedCluster();
    const configMap = nastyConfigMap('nasty', await testNamespace());
    const path = await client.pathOf(configMap);
    const { status, body } = await client.request('PATCH', path, {
      query: { fieldManager: 'gari', fieldValidation: 'Strict' },
      body: formatYaml(configMap),
      contentType: 'application/apply-patch+yaml',
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const read = await client.get(path);
    expect(read.data).toEqual(configMap.data);
    expect(read.metadata.annotations).toEqual(configMap.metadata.annotations);
  });
});
