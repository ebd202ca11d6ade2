import type { StreamPathway } from '@fairway/contract'
import { ENTRY_PATHWAY } from './balanced-playlist.ts'
import { escaped } from './media-presentation.ts'

const HEAD = /<MPD [^>]*>\n/
const SET = /<AdaptationSet [^>]*>\n/g

/**
 * A presentation of ours from each of the pathways, and where players ask which to take (ETSI TS 103 998). `folder` is
 * its path with a slash at both ends. Each address names its scheme: players take only one of those that do not.
 * `scheme` and `port` are the house's; a CDN that somebody else runs answers by TLS at its usual port.
 */
export function balancedPresentation(
  mpd: string,
  of: {
    pathways: readonly StreamPathway[]
    serverUri: string
    folder: string
    scheme: 'http:' | 'https:'
    port: string
  },
): string {
  const first = of.pathways.reduce<StreamPathway | undefined>(
    (heaviest, one) => (heaviest && heaviest.weight >= one.weight ? heaviest : one),
    undefined,
  )
  const bases = of.pathways.map(({ id, host, isHouse = true }) =>
    base(id, `${isHouse ? `${of.scheme}//${host}${of.port}` : `https://${host}`}${of.folder}`),
  )
  return withHead(mpd, [...bases, steering(of.serverUri, first?.id ?? '')])
}

/**
 * The same where addresses are signed: what it was asked by goes on with what it names, and players are told of the
 * other hosts as copies of it (`PATHWAY-CLONES`).
 */
export const enteredPresentation = (mpd: string, serverUri: string): string =>
  withHead(mpd, [base(ENTRY_PATHWAY, './'), steering(serverUri, ENTRY_PATHWAY)])

/**
 * A presentation for viewers whose signature stands in the query of every request: it is taken from the one by which
 * this was asked (ISO/IEC 23009-1 annex I). Players that do not know that leave it alone.
 */
export const queriedPresentation = (mpd: string): string => mpd.replaceAll(SET, (head) => `${head}${QUERY}`)

const QUERY = `      <EssentialProperty schemeIdUri="urn:mpeg:dash:urlparam:2014">
        <UrlQueryInfo xmlns="urn:mpeg:dash:schema:urlparam:2014" queryTemplate="$querypart$" useMPDUrlQuery="true"/>
      </EssentialProperty>
`

const base = (id: string, address: string): string =>
  `  <BaseURL serviceLocation="${escaped(id)}">${escaped(address)}</BaseURL>\n`

/** Who starts does not wait for the answer: as in HLS, it begins where most do. */
const steering = (serverUri: string, first: string): string =>
  `  <ContentSteering defaultServiceLocation="${escaped(first)}" queryBeforeStart="false">${escaped(serverUri)}</ContentSteering>\n`

const withHead = (mpd: string, lines: readonly string[]): string =>
  mpd.replace(HEAD, (head) => `${head}${lines.join('')}`)
