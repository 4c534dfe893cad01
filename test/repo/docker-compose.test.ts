import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  restart: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }));
const dockerfile = readFileSync('Dockerfile', 'utf8');
const { postgresql, schema, temporal, namespace, 'temporal-ui': ui, worker } = compose.services;

test('every image is pinned to one version', () => {
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?$/);
  const from = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(from)).toEqual(new Set(['node:22-bookworm-slim']));
});

test('the schema tool is of the version of the server', () => {
  const version = (image: string | undefined) => image?.split(':')[1];
  expect(version(schema?.image)).toBe(version(temporal?.image));
  expect(version(namespace?.image)).toBe(version(temporal?.image));
});

test('each service starts after what it needs is ready: database, schema, server, namespace, worker', () => {
  expect(schema?.depends_on).toEqual({ postgresql: { condition: 'service_healthy' } });
  expect(temporal?.depends_on).toEqual({ schema: { condition: 'service_completed_successfully' } });
  expect(namespace?.depends_on).toEqual({ temporal: { condition: 'service_healthy' } });
  expect(ui?.depends_on).toEqual({ temporal: { condition: 'service_healthy' } });
  expect(worker?.depends_on).toEqual({ temporal: { condition: 'service_healthy' }, namespace: { condition: 'service_completed_successfully' } });
});

test('what others wait for says when it is healthy, and so does the worker', () => {
  const waitedFor = Object.values(compose.services).flatMap(({ depends_on = {} }) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) => (condition === 'service_healthy' ? [name] : [])));
  for (const name of [...waitedFor, 'worker']) expect(compose.services[name]?.healthcheck, name).toBeDefined();
});

test('the server and the tool of its schema reach the same database with the same password', () => {
  expect(temporal?.environment).toMatchObject({
    DB: 'postgres12', POSTGRES_SEEDS: 'postgresql', POSTGRES_USER: 'temporal', POSTGRES_PWD: postgresql?.environment?.['POSTGRES_PASSWORD'],
  });
  expect(schema?.environment).toMatchObject({
    SQL_HOST: 'postgresql', SQL_USER: postgresql?.environment?.['POSTGRES_USER'], SQL_PASSWORD: postgresql?.environment?.['POSTGRES_PASSWORD'],
  });
});

test('everything is told the same address of the server', () => {
  for (const each of [namespace, ui, worker]) expect(each?.environment?.['TEMPORAL_ADDRESS']).toBe('temporal:7233');
});

test('no port is open to other machines', () => {
  for (const { ports = [] } of Object.values(compose.services)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('state is in named volumes, and files that are mounted exist', () => {
  for (const { volumes = [] } of Object.values(compose.services)) {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      expect(source.startsWith('./') ? existsSync(source) : source in compose.volumes, volume).toBe(true);
    }
  }
});

test('no secret is written down: keys come from the environment of whoever starts it', () => {
  expect(worker?.environment).toMatchObject({ OPENAI_API_KEY: '${OPENAI_API_KEY:-}' });
});

test('the image runs the built worker as a user without rights, with no shell between it and SIGTERM', () => {
  expect(worker?.build).toBe('.');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "dist\/cli\/main\.js"\]$/m);
  expect(dockerfile).toMatch(/^CMD \["worker"\]$/m);
});
