import { describe, expect, it } from 'vitest';
import { claimGateways, unclearClass } from './claim.ts';
import type { Gateway, GatewayClass } from './gateway-api.ts';

const gateway = (gatewayClassName: string): { object: Gateway } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: `of-${gatewayClassName}`, namespace: 'prod' },
    spec: { gatewayClassName, listeners: [] },
  },
});
const gatewayClass = (name: string, controllerName: string): { object: GatewayClass } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name },
    spec: { controllerName },
  },
});
const OURS = 'gari.dev/gateway-controller';
const THEIRS = 'istio.io/gateway-controller';

describe('claimGateways', () => {
  it.each<[string, [name: string, controller: string][], string[], string[], string[]]>([
    // Title, classes in the input, --class-name, classes whose Gateways are ours, problems.
    ['no class in the input: the class gari', [], [], ['gari'], []],
    ['classes in the input: those of our controller', [['public', OURS]], [], ['public'], []],
    ['a class of another controller', [['public', THEIRS]], [], [], []],
    ['a class called gari of another controller', [['gari', THEIRS]], [], [], []],
    [
      'a class of ours beside it',
      [
        ['gari', THEIRS],
        ['public', OURS],
      ],
      [],
      ['public'],
      [],
    ],
    ['named, and not in the input', [], ['public', 'other'], ['public', 'other'], []],
    ['named, beside a class of ours', [['gari', OURS]], ['other'], ['gari', 'other'], []],
    ['named, and in the input as ours', [['public', OURS]], ['public'], ['public'], []],
    ['named, but of another controller', [['public', THEIRS]], ['public'], [], ['warning ForeignClass']],
    ['named, and in nothing of the input', [], ['public', 'misspelt'], ['public'], ['error UnknownClass']],
    ['named, and only a class has it', [['spare', OURS]], ['spare'], [], []],
  ])('%s', (_, classes, classNames, expected, problems) => {
    const gateways = ['gari', 'public', 'other'].map(gateway);
    const { ours, others, diagnostics } = claimGateways(
      gateways,
      classes.map(([name, controller]) => gatewayClass(name, controller)),
      { controllerName: OURS, classNames },
    );
    expect(new Set(ours.map(({ object }) => object.spec.gatewayClassName))).toEqual(new Set(expected));
    expect([...ours, ...others]).toHaveLength(gateways.length);
    expect(diagnostics.map(({ severity, reason }) => `${severity} ${reason}`)).toEqual(problems);
  });

  it('knows our controller by the name that the caller gives', () => {
    const { ours } = claimGateways(
      [gateway('a'), gateway('b')],
      [gatewayClass('a', OURS), gatewayClass('b', 'example.com/second')],
      { controllerName: 'example.com/second', classNames: [] },
    );
    expect(ours.map(({ object }) => object.metadata.name)).toEqual(['of-b']);
  });

  it('names the class in its problems', () => {
    const { diagnostics } = claimGateways([], [gatewayClass('public', THEIRS)], {
      controllerName: OURS,
      classNames: ['public', 'misspelt'],
    });
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        reason: 'ForeignClass',
        object: { kind: 'GatewayClass', name: 'public' },
        field: 'spec.controllerName',
        message:
          "is istio.io/gateway-controller, so its Gateways are not gari's, although --class-name names it",
      },
      {
        severity: 'error',
        reason: 'UnknownClass',
        message:
          '--class-name misspelt: no Gateway and no GatewayClass in the input has this class; check its spelling',
      },
    ]);
  });
});

describe('unclearClass', () => {
  const other = { ...gatewayClass('nginx', THEIRS) };
  it.each<[string, string, { object: GatewayClass }[], string[], boolean]>([
    ['the class gari beside another, which is there', 'gari', [other], [], true],
    ['the class gari beside another of ours', 'gari', [gatewayClass('public', OURS)], [], true],
    ['the class gari that is in the input', 'gari', [other, gatewayClass('gari', THEIRS)], [], false],
    ['another class', 'public', [other], [], false],
    ['classes that are named', 'gari', [other], ['public'], false],
  ])('%s', (_, className, classes, classNames, unclear) => {
    const diagnostics = unclearClass([gateway(className)], classes, classNames);
    expect(diagnostics.map(({ severity, reason, field }) => [severity, reason, field])).toEqual(
      unclear ? [['warning', 'UnclearClass', 'spec.gatewayClassName']] : [],
    );
  });
});
