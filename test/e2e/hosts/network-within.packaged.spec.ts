import { expect, test } from '../fixtures/host-test.ts';

test('Linux runs no separate network process', async ({ electron }) => {
  const services = await electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ serviceName }) => serviceName ?? ''),
  );
  const network = services.filter((name) => name.includes('NetworkService'));
  expect(network).toHaveLength(process.platform === 'linux' ? 0 : 1);
});
