const TEXT = `
<style>
:host { --brand: #6f8bff; display: block; position: relative; aspect-ratio: 16 / 9; background: #000; color: #fff; overflow: hidden; contain: content }
:host([hidden]) { display: none }
media-controller {
  container-type: inline-size; width: 100%; height: 100%; font: 500 13px/1.4 system-ui, sans-serif;
  --media-primary-color: #fff; --media-accent-color: var(--brand); --media-range-bar-color: var(--brand);
  --media-control-background: transparent; --media-control-hover-background: rgb(255 255 255 / .14);
  --media-menu-background: rgb(17 20 26 / .94); --media-focus-box-shadow: inset 0 0 0 2px #fff;
  --media-live-button-indicator-color: #f4606c; --media-tooltip-background-color: rgb(17 20 26 / .94);
}
video { width: 100%; height: 100% }
media-time-range { width: 100% }
media-control-bar { background: linear-gradient(transparent, rgb(0 0 0 / .7)) }
media-live-button, :host([data-live]) media-time-display { display: none }
:host([data-live]) media-live-button { display: inline-flex }
img { position: absolute; top: 12px; right: 12px; max-height: 22px; max-width: 30%; pointer-events: none }
[hidden] { display: none }
[role=alert] { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; text-align: center; background: rgb(0 0 0 / .8) }
[role=alert][hidden] { display: none }
@container (max-width: 520px) {
  media-volume-range, media-pip-button, media-seek-backward-button, media-seek-forward-button { display: none }
  media-control-bar > * { --media-control-padding: 10px 5px }
}
</style>
<media-controller>
  <video slot="media" playsinline crossorigin="anonymous" preload="metadata"></video>
  <media-loading-indicator slot="centered-chrome" noautohide></media-loading-indicator>
  <media-captions-menu hidden anchor="auto"></media-captions-menu>
  <media-rendition-menu hidden anchor="auto"></media-rendition-menu>
  <media-playback-rate-menu hidden anchor="auto" rates="0.5 0.75 1 1.25 1.5 2"></media-playback-rate-menu>
  <media-time-range></media-time-range>
  <media-control-bar>
    <media-play-button></media-play-button>
    <media-seek-backward-button seekoffset="10"></media-seek-backward-button>
    <media-seek-forward-button seekoffset="10"></media-seek-forward-button>
    <media-mute-button></media-mute-button>
    <media-volume-range></media-volume-range>
    <media-time-display showduration notoggle></media-time-display>
    <media-live-button></media-live-button>
    <media-text-display style="flex:1"></media-text-display>
    <media-captions-menu-button></media-captions-menu-button>
    <media-playback-rate-menu-button>
      <svg slot="icon" aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" style="fill:none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M5 18a9 9 0 1 1 14 0M12 14l4-5"/></svg>
    </media-playback-rate-menu-button>
    <media-rendition-menu-button></media-rendition-menu-button>
    <media-pip-button></media-pip-button>
    <media-fullscreen-button></media-fullscreen-button>
  </media-control-bar>
</media-controller>
<img alt="" hidden>
<div role="alert" hidden></div>`

/** Nothing in it comes from elsewhere; what does is set as an attribute or as text. */
export function template(document: Document): DocumentFragment {
  const made = document.createElement('template')
  made.innerHTML = TEXT
  return document.importNode(made.content, true)
}
