import { z } from 'zod'

/** An address and a port, `192.0.2.53:53`; IPv6 in brackets. */
const HOST_PORT = /^(?:\[[0-9a-fA-F:]+\]|\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/

export const AddressAndPort = z
  .string()
  .trim()
  .max(60)
  .refine((text) => {
    const port = Number(text.slice(text.lastIndexOf(':') + 1))
    return HOST_PORT.test(text) && port > 0 && port <= 65_535
  }, 'validation.hostPort')
