import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgProblem } from './svg-problem.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" ${attributes}>${inside}</svg>`

test('a drawing is fine, with its gradients, styles and pictures inside of it', () => {
  for (const fine of [
    svg('<path d="M1 1"/>'),
    `<?xml version="1.0"?>\n<!-- drawn by hand -->${svg('<rect fill="url(#a)"/><use href="#b"/>')}`,
    svg('<style>.a{fill:#f00}</style><image href="data:image/png;base64,AAAA"/>'),
    svg('<text>Conversation = online</text>'),
  ])
    assert.equal(svgProblem(fine), null, fine)
})

test('whatever runs, fetches or hides is named', () => {
  const bad: [string, string][] = [
    [svg('<script>alert(1)</script>'), 'script'],
    [svg('<svg:script>1</svg:script>'), 'script'],
    [svg('<ScRiPt/>'), 'script'],
    [svg('', 'onload="x()"'), 'event handlers'],
    [svg('<g onclick=x()>'), 'event handlers'],
    [svg('<a href="javascript:x()">'), 'javascript:'],
    [svg('<a xlink:href="&#106;avascript:x()">'), 'javascript:'],
    [svg('<a href="java&Tab;script:x()">'), 'javascript:'],
    [svg('<foreignObject><b/></foreignObject>'), 'foreignObject'],
    [svg('<image href="https://elsewhere.example/x.png"/>'), 'outside references'],
    [svg('<use href="//elsewhere.example#x"/>'), 'outside references'],
    [svg('<style>@import "x"</style>'), 'outside references'],
    [svg('<rect fill="url(http://x)"/>'), 'outside references'],
    [svg('<animate attributeName="href" values="x"/>'), 'active elements'],
    [`<!DOCTYPE svg [<!ENTITY x "y">]>${svg('')}`, 'DOCTYPE'],
    [svg('<image href="data:image/svg+xml;base64,AAAA"/>'), 'outside references'],
    [`<?xml-stylesheet href="x"?>${svg('')}`, 'xml-stylesheet'],
    ['<html><body/></html>', 'no <svg>'],
    ['', 'no <svg>'],
  ]
  for (const [text, why] of bad) assert.equal(svgProblem(text), why, text)
})
