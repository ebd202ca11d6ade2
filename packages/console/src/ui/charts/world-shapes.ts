import type { FeatureCollection, Geometry } from 'geojson'
import { type GeoPath, type GeoProjection, geoArea, geoNaturalEarth1, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { SMALL_PLACES, countryOfShape } from './world-countries.ts'

export const MAP_WIDTH = 1000
export const MAP_HEIGHT = 476

/** A country on the map: its outline (null for those drawn as a dot only) and the middle of its largest part. */
export type CountryShape = { country: string | null; path: string | null; x: number; y: number }

/** Room of a dot. */
const DOT = 6

/** Turned so that the edge of the map falls into the Bering Strait and no country is cut in two. */
const TURN: [number, number] = [-11, 0]

/** Outlines of the world without Antarctica. The build puts them here as data. */
export const WORLD_SHAPES: readonly CountryShape[] = makeShapes()

function makeShapes(): CountryShape[] {
  const { features } = countriesOf(atlas)
  const land = features.filter(({ id }) => id !== '010')
  const projection = geoNaturalEarth1().rotate(TURN)
  projection.fitExtent(
    [
      [2, 2],
      [MAP_WIDTH - 2, MAP_HEIGHT - 2],
    ],
    { type: 'FeatureCollection', features: land },
  )
  const draw = geoPath(projection).digits(1)
  const outlines = land.map(({ id, geometry }) => ({
    country: id === undefined ? null : countryOfShape(String(id)),
    path: draw(geometry),
    ...middleOf(geometry, draw),
  }))
  return [...outlines, ...dots(projection)]
}

function dots(projection: GeoProjection): CountryShape[] {
  return Object.entries(SMALL_PLACES).flatMap(([country, [longitude, latitude]]) => {
    const spot = projection([longitude, latitude])
    return spot ? [{ country, path: null, x: inside(spot[0]), y: spot[1] }] : []
  })
}

/** The map is as wide as its land; islands beyond stand at its edge, not on what is beside it. */
function inside(x: number): number {
  return Math.min(MAP_WIDTH - DOT, Math.max(DOT, x))
}

/** Middle of the largest part: that of all France lies in the Atlantic, because of Guiana. */
function middleOf(geometry: Geometry, draw: GeoPath): { x: number; y: number } {
  const parts =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }))
      : [geometry]
  const largest = parts.reduce((best, part) => (geoArea(part) > geoArea(best) ? part : best))
  const [x, y] = draw.centroid(largest)
  return { x, y }
}

/** Holds because the file is part of the pinned package; its JSON type only says less than its own declaration. */
function countriesOf(topology: unknown): FeatureCollection<Geometry, { name: string }> {
  const known = topology as Topology<{ countries: GeometryCollection<{ name: string }> }>
  return feature(known, known.objects.countries)
}
