import { STORIES, type Story } from './stories.ts'

/** One page: `head` is trusted markup (the beacon tag). */
function page(title: string, head: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/style.css">${head}</head><body><header><a href="/">Aurora News</a><nav><a href="/world/">World</a><a href="/science/">Science</a><a href="/culture/">Culture</a></nav></header><main>${body}</main><footer>A demonstration website. Everything in it is invented.</footer></body></html>`
}

const teaser = (story: Story) =>
  `<article><a href="/stories/${story.slug}/"><img src="/img/${STORIES.indexOf(story)}.svg" width="480" height="270" alt="" loading="lazy"><h2>${story.title}</h2></a><p>${story.lead}</p></article>`

export function frontPage(head: string): string {
  return page('Aurora News', head, `<h1>Today</h1><div class="grid">${STORIES.map(teaser).join('')}</div>`)
}

export function sectionPage(section: string, head: string): string | null {
  const stories = STORIES.filter((story) => story.section === section)
  return stories.length
    ? page(
        `${section} | Aurora News`,
        head,
        `<h1>${section[0]?.toUpperCase()}${section.slice(1)}</h1><div class="grid">${stories.map(teaser).join('')}</div>`,
      )
    : null
}

export function storyPage(slug: string, head: string): string | null {
  const story = STORIES.find((candidate) => candidate.slug === slug)
  if (!story) return null
  const paragraphs = [story.lead, ...story.paragraphs].map((text) => `<p>${text}</p>`).join('')
  return page(
    `${story.title} | Aurora News`,
    head,
    `<article class="story"><img src="/img/${STORIES.indexOf(story)}.svg" width="960" height="540" alt=""><h1>${story.title}</h1>${paragraphs}</article>`,
  )
}

export const STYLE = `body{margin:0;font:17px/1.6 Georgia,serif;color:#1a1d21;background:#faf9f7}header{display:flex;gap:2rem;align-items:baseline;padding:1rem 2rem;border-bottom:1px solid #ddd}header>a{font-size:1.6rem;font-weight:700;color:inherit;text-decoration:none}nav a{margin-right:1rem;color:#334}main{max-width:72rem;margin:0 auto;padding:1rem 2rem}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:2rem}img{width:100%;height:auto;border-radius:4px}h2{font-size:1.2rem}article a{color:inherit;text-decoration:none}.story{max-width:44rem;margin:0 auto}footer{padding:2rem;color:#666;font-size:.85rem;text-align:center}`
