import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'web', include: ['web/**/*.test.ts'], environment: 'node', testTimeout: 60_000 } },
      // The same pages in Chromium, Firefox and WebKit.
      { test: { name: 'engines', include: ['engines/**/*.test.ts'], environment: 'node', retry: 1, testTimeout: 600_000, hookTimeout: 300_000, fileParallelism: false } },
      // What a reader waits for: ./build.sh bench.
      { test: { name: 'bench', include: ['bench/*.test.ts'], environment: 'node', testTimeout: 900_000, hookTimeout: 300_000, fileParallelism: false } },
      // Long ones, with GPT-2 small's real sizes: ./build.sh test --full.
      { test: { name: 'full', include: ['full/**/*.test.ts'], environment: 'node', testTimeout: 900_000, hookTimeout: 900_000, fileParallelism: false } },
      {
        // One browser and one served site for all files; they run one after the other, as the machine may have 2 cores.
        test: {
          name: 'browser',
          include: ['browser/**/*.test.ts'],
          environment: 'node',
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          // A browser on a busy machine may lose a test once; the report names what was tried again.
          retry: 1,
          // What a busy machine takes its time for still comes.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
