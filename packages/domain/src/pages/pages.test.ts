import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PageKind, PageLanguage } from '@fairway/contract'
import { defaultPage } from './default-page.ts'
import { PAGE_TOKENS, checkPage, fillPage } from './page-tokens.ts'

const found = (html: string, kind: PageKind = 'errors') =>
  checkPage(kind, html).map(({ line, column, level, code, text }) => [line, column, level, code, text])
const brand = { companyName: 'A & <B>', brandColor: '#3a5bff', logo: null, logoOnDark: null }

describe('a page', () => {
  it('may hold the known tokens, and an error page has to hold the id', () => {
    assert.deepEqual(found('<p>::REQUEST_ID:: ::STATUS:: ::HOST:: ::CLIENT_IP:: ::TIME::</p>'), [])
    assert.deepEqual(found('<p>one\n<p>two'), [[2, 7, 'error', 'missing', '::REQUEST_ID::']])
    assert.deepEqual(found('<p>one', 'maintenance'), [])
  })

  it('with an unknown token is told the line and the column', () => {
    assert.deepEqual(found('<!doctype html>\n<p>::REQUEST_ID::\n  a ::RAY_ID:: b ::X::\n'), [
      [3, 5, 'error', 'unknown', '::RAY_ID::'],
      [3, 18, 'error', 'unknown', '::X::'],
    ])
  })

  it('may speak of anything else that has colons', () => {
    assert.deepEqual(found('<style>a::before{}b::after{}</style><p>std::chrono::seconds ::REQUEST_ID::'), [])
    assert.deepEqual(found('<p>::request_id:: ::REQUEST_ID::'), [[1, 4, 'warning', 'case', '::request_id::']])
  })

  it('is warned of what a browser would have to fetch for it', () => {
    const html =
      '<p>::REQUEST_ID::\n<img alt="" src="/logo.png">\n<img src="data:image/png;base64,AA">\n<link rel=stylesheet href=https://cdn.test/a.css>\n<style>a{background:url("b.png")} b{mask:url(#c)}</style><a href="/home">home</a>'
    assert.deepEqual(
      found(html).map(([line, , level, code, text]) => [line, level, code, text]),
      [
        [2, 'warning', 'external', '/logo.png'],
        [4, 'warning', 'external', 'https://cdn.test/a.css'],
        [5, 'warning', 'external', 'b.png'],
      ],
    )
  })

  it('that is no HTML is none', () => {
    for (const text of ['', 'plain words', '{"a":1}', '\u0000\u0001'])
      assert.deepEqual(
        found(text).map(([, , , code]) => code),
        ['not-a-page'],
      )
  })

  it('is filled in with values that can do nothing', () => {
    assert.equal(
      fillPage('<p title="::HOST::">::STATUS:: ::OTHER::', { ...PAGE_TOKENS, HOST: '"><script>x</script>.test' }),
      '<p title="scriptxscript.test">502 ::OTHER::',
    )
  })
})

describe('the page of a brand', () => {
  for (const kind of PageKind.options) {
    it(`for ${kind} is good by our own rules in every language`, () => {
      const pages = PageLanguage.options.map((language) => defaultPage(kind, language, brand))
      for (const page of pages) {
        assert.deepEqual(checkPage(kind, page), [])
        assert.match(page, /A &#38; &#60;B&#62;/)
        assert.doesNotMatch(page, /undefined|Fairway/)
      }
      assert.equal(new Set(pages).size, 3)
    })
  }
})
