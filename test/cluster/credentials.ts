import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from './client.ts';

// A name of its own for each program tells them apart in the audit log.
const USERS = ['admin', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

/** A user that exists. All may do everything. */
export type User = (typeof USERS)[number];

/** Files that the API server and the controller manager read at start. */
export interface Credentials {
  readonly tokens: Readonly<Record<User, string>>;
  readonly tokenFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

/** Makes new tokens and keys in a directory that only this user can read. */
export function createCredentials(directory: string): Credentials {
  const tokens = Object.fromEntries(USERS.map((user) => [user, randomUUID()])) as Record<User, string>;
  const tokenFile = join(directory, 'tokens.csv');
  const rows = USERS.map((user) => `${tokens[user]},${user},${user},system:masters`);
  writeFileSync(tokenFile, `${rows.join('\n')}\n`, { mode: 0o600 });

  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serviceAccountKey = join(directory, 'service-account.key');
  const serviceAccountPublicKey = join(directory, 'service-account.pub');
  writeFileSync(serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  return { tokens, tokenFile, serviceAccountKey, serviceAccountPublicKey };
}

/** Writes a kubeconfig and returns its path. */
export function writeKubeconfig(file: string, connection: Connection, namespace = 'default'): string {
  const name = 'gari-test';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: connection.server,
          'certificate-authority-data': Buffer.from(connection.ca).toString('base64'),
        },
      },
    ],
    users: [{ name, user: { token: connection.token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  };
  // JSON is YAML.
  writeFileSync(file, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  return file;
}
