import * as json from 'cjson.safe'
import * as ffi from 'ffi'
import { mappedFile } from './mapped-file.ts'

/** Numbers in memory that all processes of this machine share, counted from 0. */
export type Numbers = { readonly [index: number]: number }

/** The location data of this machine, as the platform has written it, with the names that go with it. */
export type GeoTables = {
  v4First: Numbers
  v4Steps: Numbers
  v6Top: Numbers
  /** How many there are of them. */ v6Tops: number
  v6First: Numbers
  v6Low: Numbers
  v6Leaf: Numbers
  leafPlace: Numbers
  leafNetwork: Numbers
  networkAsn: Numbers
  placeCountry: Numbers
  placeRegion: Numbers
  placeCity: Numbers
  stringStart: Numbers
  stringBytes(this: void, from: number, length: number): string
  countries: string[]
  /** By country. */ continents: Record<string, string | undefined>
  /** China's groups by autonomous system. */ groups: Record<string, string | undefined>
}

/** What the agent writes once the data is there. */
type Names = { file: string; continents: GeoTables['continents']; groups: GeoTables['groups'] }
type Directory = { countries: string[]; sections: Record<string, [number, number] | undefined> }

let namesFile = ''
let tables: GeoTables | undefined
let nextLook = 0
const LOOK_SECONDS = 5

/** Where the agent says where the location data is. */
export function useFile(file: string): void {
  namesFile = file
}

/** Undefined while there is none; then it is looked for again from time to time. */
export function geoTables(): GeoTables | undefined {
  if (tables !== undefined) return tables
  const now = ngx.time()
  if (now < nextLook) return undefined
  nextLook = now + LOOK_SECONDS
  const text = textOf(namesFile)
  const names = text === undefined ? undefined : (json.decode(text) as Names | undefined)
  if (names !== undefined) tables = opened(names)
  return tables
}

function textOf(file: string): string | undefined {
  const [handle] = io.open(file, 'rb')
  if (handle === undefined) return undefined
  const text = handle.read('*a')
  handle.close()
  return text
}

function opened({ file, continents, groups }: Names): GeoTables | undefined {
  const [handle] = io.open(file, 'rb')
  if (handle === undefined) return undefined
  const head = handle.read(12) ?? ''
  const length = word(head, 8)
  const directory = head.startsWith('FWGEO002') ? (json.decode(handle.read(length) ?? '') as Directory) : undefined
  handle.close()
  const memory = directory === undefined ? undefined : mappedFile(file)?.memory
  if (directory === undefined || memory === undefined) return undefined
  const start = Math.floor((12 + length + 7) / 8) * 8
  const from = (name: string): number => start + ((directory.sections[name] ?? [0, 0])[0] ?? 0)
  const words = (name: string): Numbers => ffi.cast('const uint32_t*', ffi.cast('const char*', memory) + from(name))
  const bytes = from('stringBytes')
  return {
    v4First: words('v4First'),
    v4Steps: words('v4Steps'),
    v6Top: words('v6Top'),
    v6Tops: (directory.sections['v6Top'] ?? [0, 0])[1] ?? 0,
    v6First: words('v6First'),
    v6Low: words('v6Low'),
    v6Leaf: words('v6Leaf'),
    leafPlace: words('leafPlace'),
    leafNetwork: words('leafNetwork'),
    networkAsn: words('networkAsn'),
    placeCountry: ffi.cast('const uint16_t*', ffi.cast('const char*', memory) + from('placeCountry')),
    placeRegion: words('placeRegion'),
    placeCity: words('placeCity'),
    stringStart: words('stringStart'),
    stringBytes: (at, size) => ffi.string(ffi.cast('const char*', memory) + (bytes + at), size),
    countries: directory.countries,
    continents,
    groups,
  }
}

function word(text: string, at: number): number {
  if (text.length < at + 4) return 0
  return (
    text.charCodeAt(at) +
    text.charCodeAt(at + 1) * 256 +
    text.charCodeAt(at + 2) * 65536 +
    text.charCodeAt(at + 3) * 16777216
  )
}
