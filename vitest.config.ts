import { defineConfig } from 'vitest/config';

const folders = '{render,functions,k8s,test,bench,scripts}';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default leaves a core to others; here much of the time is spent waiting for clusters and tools.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${folders}/**/*.test.ts`],
          exclude: ['**/node_modules/**', '**/*.cluster.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: [`${folders}/**/*.cluster.test.ts`],
          // One control plane for the whole run; started only if one of these tests runs.
          globalSetup: ['test/cluster/global-setup.ts'],
          // Ten servers and two test files share two cores: a deadline is missed now and then, and the report says
          // which test had to be run again. What fails twice is wrong.
          ...(process.env.CI ? { retry: 1 } : {}),
        },
      },
    ],
  },
});
