/**
 * Place and network are numbers for `location`; 0 is "nothing known". `prefixLength`: every address that shares so many
 * bits has the same place and network.
 */
export type GeoHit = { place: number; network: number; prefixLength: number }
