import { freePort, nodeToken } from '@fairway/platform'
import { EDGE, type EdgeUnderTest, startEdgeUnderTest } from './edge-under-test.ts'

const ADDRESS = '127.0.0.24'

/** An edge of a shield region, which others fetch through. */
export async function startRelay(
  name = 'relay-node',
  settings: Record<string, string> = {},
  home?: string,
): Promise<EdgeUnderTest> {
  return startEdgeUnderTest(home, undefined, {
    FAIRWAY_NODE_NAME: name,
    FAIRWAY_EDGE_HTTP: `${ADDRESS}:${await freePort(ADDRESS)}`,
    FAIRWAY_EDGE_HTTPS: `${ADDRESS}:${await freePort(ADDRESS)}`,
    FAIRWAY_SIMULATED_ADDRESSES: '',
    FAIRWAY_SHIELD_LISTEN: `${EDGE}:${await freePort(EDGE)}`,
    ...settings,
  })
}

/** Settings of another edge of the same installation. */
export const besides = (relay: EdgeUnderTest): Record<string, string> => ({
  FAIRWAY_NODE_TOKEN: nodeToken(relay.config),
})

/** Each in a region of its own, in this order. */
export function shieldOf(...relays: EdgeUnderTest[]) {
  return {
    nodes: relays.map(({ config: { nodeName, shieldListen } }, index) => ({
      node: nodeName,
      region: `region-${index}`,
      host: shieldListen?.host ?? '',
      port: shieldListen?.port ?? 0,
    })),
  }
}
