import type { HostPort } from '../host-port.ts'

declare const checked: unique symbol
/**
 * An address that may be connected to: the gate has checked it, or the operator has named it. Clients that open sockets
 * take nothing else.
 */
export type Peer = HostPort & { readonly [checked]: true }

export const pinned = (at: HostPort): Peer => at as Peer

/** What no user has named: this installation's own nodes, and what its settings say. */
export const ownPeer = (at: HostPort): Peer => at as Peer
