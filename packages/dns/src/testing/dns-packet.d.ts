/** The part of the library that the tests use as their second opinion on the wire format. */
declare module 'dns-packet' {
  export type Answer = {
    name: string
    type: string
    class?: string
    ttl?: number
    data?: unknown
    options?: {
      code: number
      type?: string
      family?: number
      ip?: string
      sourcePrefixLength?: number
      scopePrefixLength?: number
    }[]
    extendedRcode?: number
    ednsVersion?: number
    flag_do?: boolean
    udpPayloadSize?: number
  }
  export type Decoded = {
    id: number
    type: string
    rcode: string
    opcode: string
    flag_aa: boolean
    flag_tc: boolean
    flag_rd: boolean
    flag_ra: boolean
    flag_z: boolean
    flag_ad: boolean
    flag_cd: boolean
    questions: { name: string; type: string; class: string }[]
    answers: Answer[]
    authorities: Answer[]
    additionals: Answer[]
  }
  const dnsPacket: { encode(packet: object): Buffer; decode(bytes: Uint8Array): Decoded; DNSSEC_OK: number }
  export default dnsPacket
}
