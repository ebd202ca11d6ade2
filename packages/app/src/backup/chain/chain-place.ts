import path from 'node:path'
import { chainIdOf, isS3Place, momentOfBase } from '@fairway/platform'

/** A chain of backups by its address, or one backup in it. */
export type ChainPlace = { place: string; id: string; key: string | null }

/** Null for what is the address of neither. */
export function chainPlaceOf(address: string): ChainPlace | null {
  const whole = isS3Place(address) ? address.replace(/\/+$/, '') : path.resolve(address)
  const at = whole.lastIndexOf('/')
  const last = whole.slice(at + 1)
  if (momentOfBase(last) === null) return ofChain(whole, null)
  return ofChain(whole.slice(0, at), last)
}

function ofChain(address: string, key: string | null): ChainPlace | null {
  const at = address.lastIndexOf('/')
  const id = chainIdOf(address.slice(at + 1))
  return id === null ? null : { place: address.slice(0, at), id, key }
}
