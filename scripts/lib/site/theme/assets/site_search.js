// The search of the site, in place of the theme's: it runs without a worker, and so also from file://,
// finds hashjoin in enable_hashjoin, puts the pages for users first, and shows the place that was found.
//
// The theme asks through __search.worker: a class Worker that answers its messages. hooks.py
// writes the sections of the pages as search_index.js, which is loaded when the search is first used.
(function () {
  'use strict'
  const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3
  const EXCERPT = 240, SECTIONS = 3
  // what a section is worth if its title, the title of its page or its text has the word
  const TITLE = 12, PAGE = 3, TEXT = 1
  const here = document.currentScript.src
  const folder = here.slice(0, here.lastIndexOf('/') + 1)

  const words = text => text.toLowerCase().match(/[a-z0-9]+/g) || []
  const escape = text => text.replace(/[&<>"]/g, c => '&#' + c.charCodeAt(0) + ';')

  // Forms of a word that count as the same.
  const stem = word => word.length > 4 ? word.replace(/(ies|y)$/, 'i').replace(/(ing|ed|es|s|e)$/, '') : word

  // How well a word fits a word of the query: 1 the same, less if it only begins so.
  function fits (word, wanted) {
    if (word === wanted || stem(word) === stem(wanted)) return 1
    return wanted.length > 1 && word.startsWith(wanted) ? 0.5 : 0
  }

  // The query: terms, each of the words that must follow each other, as in work_mem.
  const terms = text => text.split(/\s+/).map(words).filter(term => term.length)

  // How well the words from a place on fit a term. Only its last word may be a beginning.
  function fitsAt (list, at, term) {
    let fit = 1
    for (let i = 0; fit && i < term.length; i++) {
      const one = at + i < list.length ? fits(list[at + i], term[i]) : 0
      fit = i < term.length - 1 && one < 1 ? 0 : one
    }
    return fit
  }

  // The sum of fits, of which each further one counts less.
  function count (list, term) {
    let sum = 0
    for (let i = 0; i < list.length; i++) sum += fitsAt(list, i, term)
    return sum / (sum + 1.5) * 2.5
  }

  function prepare (sections) {
    for (const section of sections) {
      section.titleWords = words(section.title)
      section.pageWords = words(section.page)
      section.textWords = words(section.text)
    }
    return sections
  }

  // The sections that have all terms, the best first: {section, score}
  function find (sections, query) {
    const seen = query.map(() => 0)
    const hits = []
    for (const section of query.length ? sections : []) {
      const title = query.map(term => count(section.titleWords, term))
      const text = query.map(term => count(section.textWords, term))
      const parts = query.map((term, i) => TITLE * title[i] + PAGE * count(section.pageWords, term) + TEXT * text[i])
      query.forEach((_, i) => { if (title[i] + text[i]) seen[i]++ })
      if (parts.every(part => part) && query.some((_, i) => title[i] + text[i])) hits.push({ section, parts })
    }
    const rare = seen.map(n => Math.log(1 + sections.length / (n + 1)))
    const whole = query.flat()
    for (const hit of hits) {
      hit.score = hit.section.weight * hit.parts.reduce((sum, part, i) => sum + part * rare[i], 0)
      if (query.length > 1) {
        if (count(hit.section.titleWords, whole)) hit.score *= 3
        else if (count(hit.section.textWords, whole)) hit.score *= 2
      }
    }
    return hits.sort((a, b) => b.score - a.score)
  }

  // A piece of a text around the first place that fits, with what fits marked.
  function excerpt (text, query, length) {
    const tokens = [...text.matchAll(/[A-Za-z0-9]+/g)]
    const list = tokens.map(token => token[0].toLowerCase())
    const marks = []
    for (const term of query.length > 1 ? [query.flat(), ...query] : query) {
      list.forEach((_, i) => {
        if (fitsAt(list, i, term)) {
          marks.push({ from: tokens[i].index, to: tokens[i + term.length - 1].index + tokens[i + term.length - 1][0].length })
        }
      })
    }
    const first = marks.length ? marks[0].from : 0
    const from = first < length / 2 ? 0 : text.indexOf(' ', first - length / 3) + 1
    const to = from + length < text.length ? Math.max(text.lastIndexOf(' ', from + length), from) : text.length
    let piece = from ? '… ' : ''
    let at = from
    for (const mark of marks.sort((a, b) => a.from - b.from || b.to - a.to)) {
      if (mark.from < at || mark.to > to) continue
      piece += escape(text.slice(at, mark.from)) + '<mark data-md-highlight>' + escape(text.slice(mark.from, mark.to)) + '</mark>'
      at = mark.to
    }
    return piece + escape(text.slice(at, to)) + (to < text.length ? ' …' : '')
  }

  // What the theme shows: sections, the best first, of a page not more than SECTIONS. Each is a list of its own, as the
  // theme would show a page before the sections of its list; and its text is in its title, as the theme shows texts
  // only of pages.
  function answer (sections, text) {
    let query = terms(text)
    let hits = find(sections, query)
    if (!hits.length) hits = find(sections, query = words(text).map(word => [word]))
    const shown = new Map()
    const items = []
    for (const { section, score } of hits) {
      const url = section.location.split('#')[0]
      shown.set(url, (shown.get(url) || 0) + 1)
      if (shown.get(url) > SECTIONS) continue
      const title = section.title === section.page ? section.title : section.page + ' › ' + section.title
      const found = excerpt(title, query, title.length) + '<small class="found">' + excerpt(section.text, query, EXCERPT) + '</small>'
      items.push([{ location: section.location, title: found, text: '', score, terms: {} }])
    }
    return { items, suggestions: [], suggest: [] }
  }

  let sections
  function load () {
    sections = sections || new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = folder + 'search_index.js'
      script.onload = () => resolve(prepare(window.spqtree_sections))
      script.onerror = reject
      document.head.append(script)
    })
    return sections
  }

  // What the theme takes for a worker.
  class Search extends EventTarget {
    async postMessage (message) {
      if (message.type === SETUP) this.say({ type: READY })
      else if (message.type === QUERY) this.say({ type: RESULT, data: answer(await load(), String(message.data)) })
    }

    say (data) {
      setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })))
    }

    terminate () {}
  }

  const mine = 'spqtree:search'
  const Theirs = window.Worker
  window.Worker = function (url, ...rest) { return String(url).endsWith(mine) ? new Search() : new Theirs(url, ...rest) }
  window.__search = { worker: mine, index: Promise.resolve({ config: { lang: ['en'], separator: '[\\s\\-_]+' }, docs: [] }), transform: text => text }
})()
