// How many requests of each customer are under way in this worker, by what they wait for: its connections are its own, and
// what it has counted ends with it.
type Taken = Record<string, number | undefined>
/** On their way to origins, tunnels among them. */
const origins: Taken = {}
/** Connections that were switched to another protocol, and those that ask for it: by customer, and by its visitor. */
const tunnels: Taken = {}
/** With the process that has the rule sets. */
const inspections: Taken = {}

/** Takes room for a request of a customer; false when it has so many under way, and then nothing was taken. */
export function takeRoom(customer: string, most: number): boolean {
  return take(origins, customer, most)
}

export function giveRoom(customer: string): void {
  give(origins, customer)
}

/** The same for one that may stay for hours, by all of the customer's and by those of this visitor. */
export function takeTunnel(customer: string, visitor: string, most: number, mostOfVisitor: number): boolean {
  if (!take(tunnels, customer, most)) return false
  if (take(tunnels, ofVisitor(customer, visitor), mostOfVisitor)) return true
  give(tunnels, customer)
  return false
}

export function giveTunnel(customer: string, visitor: string): void {
  give(tunnels, customer)
  give(tunnels, ofVisitor(customer, visitor))
}

const ofVisitor = (customer: string, visitor: string): string => `${customer} ${visitor}`

/**
 * Inspections at once: the slowest take some 50 ms, and all that wait must have their end before an inspection counts as
 * one that does not answer.
 */
const MOST_INSPECTIONS = 8
const MOST_INSPECTIONS_OF_A_VISITOR = 2
const MOST_INSPECTIONS_OF_ALL = 32
/** Beyond that, for customers that have none under way: four floods keep nobody else out. */
const SPARE_INSPECTIONS = 16
const ALL = ''

/** A visitor's are counted over all customers; without a visitor's name only its customer's count. */
export function takeInspection(customer: string, visitor: string): boolean {
  const most = MOST_INSPECTIONS_OF_ALL + (inspections[customer] === undefined ? SPARE_INSPECTIONS : 0)
  if (!take(inspections, customer, MOST_INSPECTIONS)) return false
  if (visitor === '' || take(inspections, ofVisitor(ALL, visitor), MOST_INSPECTIONS_OF_A_VISITOR)) {
    if (take(inspections, ALL, most)) return true
    if (visitor !== '') give(inspections, ofVisitor(ALL, visitor))
  }
  give(inspections, customer)
  return false
}

export function giveInspection(customer: string, visitor: string): void {
  give(inspections, customer)
  if (visitor !== '') give(inspections, ofVisitor(ALL, visitor))
  give(inspections, ALL)
}

/** Whether a customer or a visitor has as many inspections under way as one may have: it waits for itself, not others. */
export function isInspectedFully(customer: string, visitor: string): boolean {
  const ofOne = visitor === '' ? 0 : (inspections[ofVisitor(ALL, visitor)] ?? 0)
  return (inspections[customer] ?? 0) >= MOST_INSPECTIONS || ofOne >= MOST_INSPECTIONS_OF_A_VISITOR
}

function take(taken: Taken, who: string, most: number): boolean {
  const now = taken[who] ?? 0
  if (now >= most) return false
  taken[who] = now + 1
  return true
}

function give(taken: Taken, who: string): void {
  const left = (taken[who] ?? 0) - 1
  taken[who] = left > 0 ? left : undefined
}
