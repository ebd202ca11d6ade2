import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READY_ROLE_NAMES, RoleIds } from '@fairway/contract'
import { READY_ROLES, readyRoleOf } from './ready-roles.ts'
import { roleOf } from './role-ids.ts'
import { permissionsOf } from './roles.ts'

test('every ready role is one level of each resource, and is recognised in any order', () => {
  for (const name of READY_ROLE_NAMES) {
    assert.ok(RoleIds.safeParse(READY_ROLES[name]).success, name)
    assert.equal(readyRoleOf([...READY_ROLES[name]].reverse()), name)
  }
  assert.equal(readyRoleOf([]), null)
  assert.equal(readyRoleOf(['site-editor']), null)
})

test('a ready role may what its name says and no more', () => {
  const may = (name: keyof typeof READY_ROLES) => permissionsOf(roleOf(READY_ROLES[name]))
  const changing = /^(?:Add|Edit|Remove)/
  assert.deepEqual(
    [...may('viewer')].filter((one) => changing.test(one)),
    [],
  )
  assert.deepEqual(
    [...may('billing')].filter((one) => changing.test(one) || one === 'ViewSite'),
    ['EditSubscription'],
  )
  assert.ok(
    may('dns-editor').has('EditSite') && !may('dns-editor').has('RemoveSite') && !may('dns-editor').has('ViewUser'),
  )
  assert.ok(may('security').has('ViewAuditLog') && !may('security').has('EditUser'))
  assert.ok(may('steering').has('EditPerformancePolicy') && !may('steering').has('EditSite'))
  assert.deepEqual([...may('administrator')].toSorted(), [...permissionsOf({ owner: true })].toSorted())
})
