import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE_IDS, type RoleId } from '@fairway/contract'
import { type Person, actOnProblem, assignProblem, lastAdminProblem, mayAssign } from './people.ts'
import { levelsOf, roleIdsOf, roleOf } from './role-ids.ts'

const person = (id: string, ...roleIds: RoleId[]): Person => ({ id, isOwner: false, roleIds })
const owner: Person = { id: 'owner', isOwner: true, roleIds: [] }

test('role ids and levels say the same, in the order of the catalogue', () => {
  for (const id of ROLE_IDS) assert.deepEqual(roleIdsOf(levelsOf([id])), [id])
  assert.deepEqual(roleIdsOf(levelsOf(['api-tier-2', 'dem-admin', 'site-viewer'])), [
    'site-viewer',
    'dem-admin',
    'api-tier-2',
  ])
  assert.deepEqual(levelsOf(['site-viewer', 'site-admin', 'nonsense', 'site-']), {
    levels: { site: 'admin' },
    apiTier: null,
  })
  assert.deepEqual(roleOf([], true), { owner: true })
})

test('roles are given by who administers the resource; tiers by who administers sites, up to their own', () => {
  const may = (caller: Person) => ROLE_IDS.filter((id) => mayAssign(caller, id))
  assert.deepEqual(may(owner), [...ROLE_IDS])
  assert.deepEqual(may(person('a', 'dem-admin', 'site-editor', 'api-tier-4')), [
    'dem-viewer',
    'dem-editor',
    'dem-admin',
  ])
  assert.deepEqual(may(person('a', 'site-admin', 'api-tier-2')), [
    'site-viewer',
    'site-editor',
    'site-admin',
    'api-tier-1',
    'api-tier-2',
  ])
  assert.deepEqual(may(person('a', 'site-admin')), ['site-viewer', 'site-editor', 'site-admin'])
})

test("only what changes has to be the caller's to give, and to take", () => {
  const caller = person('a', 'teammate-admin', 'dem-admin')
  assert.equal(assignProblem(caller, ['site-admin', 'dem-viewer'], ['site-admin', 'dem-admin']), null)
  assert.equal(assignProblem(caller, ['site-admin'], []), 1482)
  assert.equal(assignProblem(caller, [], ['billing-viewer']), 1482)
})

test('the owner stays, nobody acts on themselves, nor on who is more in looking after people', () => {
  const [admin, editor] = [person('admin', 'teammate-admin'), person('editor', 'teammate-editor')]
  assert.equal(actOnProblem(admin, owner), 1480)
  assert.equal(actOnProblem(admin, admin), 1483)
  assert.equal(actOnProblem(editor, admin), 1482)
  assert.equal(actOnProblem(admin, person('other', 'teammate-admin')), null)
  assert.equal(actOnProblem(owner, admin), null)
})

test('somebody is left to look after the people', () => {
  assert.equal(lastAdminProblem([person('a', 'site-admin')], null), 1481)
  assert.equal(lastAdminProblem([person('a', 'site-admin')], person('b', 'teammate-admin')), null)
  assert.equal(lastAdminProblem([owner], null), null)
})
