export type Story = {
  slug: string
  section: 'world' | 'science' | 'culture'
  title: string
  lead: string
  paragraphs: readonly string[]
}

/** What the demonstration newspaper prints. */
export const STORIES: readonly Story[] = [
  {
    slug: 'harbour-lights',
    section: 'world',
    title: 'A harbour goes dark so that the birds come back',
    lead: 'Every autumn night the port turns its lamps down for an hour. Crane drivers say they can hear the wings.',
    paragraphs: [
      'What began as a trial on one quay is now the rule for the whole waterfront, from the grain silos to the ferry pier.',
      'Counters on the breakwater registered twice as many passing flocks as in the year before.',
    ],
  },
  {
    slug: 'deep-ice',
    section: 'science',
    title: 'An ice core from two kilometres down reads like a diary',
    lead: 'Thin bands of dust let the team name single winters, forty thousand years ago.',
    paragraphs: [
      'The drill ran for three seasons. The last metre came up in one piece, blue and almost without bubbles.',
      "Samples go to five laboratories that will not see each other's results before spring.",
    ],
  },
  {
    slug: 'night-train',
    section: 'world',
    title: 'The night train is full again',
    lead: 'Three lines that were closed a decade ago return this winter, and most berths are gone until March.',
    paragraphs: [
      'Operators bought second-hand sleeping cars and rebuilt them with sockets, lockers and better mattresses.',
      'The slowest line sells out first: people ask for the longer night.',
    ],
  },
  {
    slug: 'paper-maps',
    section: 'culture',
    title: 'Why paper maps refuse to vanish',
    lead: 'Sales of walking maps rose for the fifth year. The publishers themselves are surprised.',
    paragraphs: [
      'A map on a table is read by four people at once, says the cartographer who still draws the hill shading by hand.',
      'The best seller is a valley that fits into a coat pocket.',
    ],
  },
  {
    slug: 'quiet-orchestra',
    section: 'culture',
    title: 'An orchestra that rehearses in silence',
    lead: 'For one week a year the players put their instruments down and read the score together.',
    paragraphs: [
      'The conductor calls it listening with the eyes.',
      'Tickets for the concert afterwards were gone in nine minutes.',
    ],
  },
  {
    slug: 'river-sensors',
    section: 'science',
    title: 'Schools hang two thousand sensors into a river',
    lead: 'The children built them from a kit; the water board uses the readings every day.',
    paragraphs: [
      'A classroom noticed the leak of a brewery before the brewery did.',
      'The next river starts in April.',
    ],
  },
]
