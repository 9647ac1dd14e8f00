// A complete adapter in one file, for Node 18 or later, without any dependency:
//
//     rulings run --engine 'cmd:node examples/javascript/adapter.mjs'
//
// The first half is the engine, a toy called Dusk: lands, creatures that do nothing, and day and
// night. The second half puts it behind the protocol (harness/protocol/README.md). For an engine
// of your own, keep the second half and change what it calls.

import { createInterface } from "node:readline";

// -- the engine -----------------------------------------------------------------------------------

const STEPS = [
  "untap", "upkeep", "draw", "precombat main", "beginning of combat",
  "declare attackers", "end of combat", "postcombat main", "end", "cleanup",
];
const CARDS = {
  Forest: { faces: [{ name: "Forest" }], land: true },
  Plains: { faces: [{ name: "Plains" }], land: true },
  "Elite Vanguard": { faces: [{ name: "Elite Vanguard", power: 2, toughness: 1 }] },
  "Grizzly Bears": { faces: [{ name: "Grizzly Bears", power: 2, toughness: 2 }] },
  Memnite: { faces: [{ name: "Memnite", power: 1, toughness: 1 }] },
  Watchwolf: { faces: [{ name: "Watchwolf", power: 3, toughness: 3 }] },
  "Tavern Ruffian": { // daybound in front, nightbound behind
    faces: [
      { name: "Tavern Ruffian", power: 2, toughness: 5 },
      { name: "Tavern Smasher", power: 6, toughness: 5 },
    ],
  },
};

class Illegal extends Error {} // somebody tried what the rules forbid

class Dusk {
  constructor(active, step, turn, light) {
    Object.assign(this, { active, step, turn, light }); // light: "day", "night" or null
    this.cards = []; // every card, the newest in its zone last
    this.stack = [];
    this.log = [];
    this.players = [0, 1].map(() => ({ life: 20, spells: 0, lost: false }));
    this.spellsBefore = 0; // cast in the last turn by its active player
    this.landPlayed = false;
  }

  pile(owner, zone) {
    return this.cards.filter((card) => card.owner === owner && card.zone === zone);
  }

  move(card, zone) {
    this.cards.splice(this.cards.indexOf(card), 1);
    this.cards.push(card);
    card.zone = zone;
  }

  checkTiming(player, card) {
    if (card.owner !== player || card.zone !== "hand") throw new Illegal("it is not in that hand");
    if (player !== this.active || !this.step.endsWith("main") || this.stack.length) {
      throw new Illegal("only in one's own main phase, with an empty stack");
    }
  }

  cast(player, card) {
    this.checkTiming(player, card);
    if (card.land) throw new Illegal("a land is not cast");
    this.move(card, "stack");
    this.stack.push(card);
    this.players[player].spells += 1;
    this.log.push({ word: "cast", card, player });
  }

  playLand(player, card) {
    this.checkTiming(player, card);
    if (!card.land || this.landPlayed) throw new Illegal("no land, or the second one this turn");
    this.landPlayed = true;
    this.enter(card);
  }

  resolveTop() {
    if (!this.stack.length) throw new Illegal("the stack is empty");
    this.enter(this.stack.pop());
  }

  enter(card) {
    card.back = card.faces.length === 2 && this.light === "night";
    this.move(card, "battlefield");
    this.log.push({ word: "entered", card, back: card.back });
    this.lookAtTheSky();
  }

  // The first daybound permanent makes it day, nightbound alone makes it night.
  lookAtTheSky() {
    const bound = this.cards.filter((c) => c.zone === "battlefield" && c.faces.length === 2);
    if (bound.length && this.light === null) {
      this.become(bound.every((card) => card.back) ? "night" : "day");
    }
    for (const card of bound) {
      if (card.back !== (this.light === "night")) {
        card.back = !card.back;
        this.log.push({ word: "transformed", card });
      }
    }
  }

  become(light) {
    if (this.light === light) return;
    this.light = light;
    this.log.push({ word: "became", light });
    this.lookAtTheSky();
  }

  // Everybody passes with an empty stack: the next step begins.
  nextStep() {
    const place = (STEPS.indexOf(this.step) + 1) % STEPS.length;
    this.step = STEPS[place];
    if (place === 0) {
      this.spellsBefore = this.players[this.active].spells;
      this.players.forEach((player) => (player.spells = 0));
      this.turn += 1;
      this.active = 1 - this.active;
      this.landPlayed = false;
      this.log.push({ word: "turn", player: this.active });
    }
    this.log.push({ word: "step", step: this.step, player: this.active });
    if (this.step === "untap") this.untap();
    if (this.step === "draw") this.draw();
    if (this.step === "cleanup") {
      for (const card of this.pile(this.active, "hand").slice(7)) this.move(card, "graveyard");
    }
  }

  untap() {
    if (this.light === "day" && this.spellsBefore === 0) this.become("night");
    else if (this.light === "night" && this.spellsBefore >= 2) this.become("day");
    for (const card of this.pile(this.active, "battlefield")) {
      if (card.tapped) {
        card.tapped = false;
        this.log.push({ word: "untapped", card });
      }
    }
  }

  draw() {
    const [card] = this.pile(this.active, "library");
    if (!card) {
      this.players[this.active].lost = true;
      return;
    }
    this.move(card, "hand");
    this.log.push({ word: "drew", player: this.active });
  }
}

// -- the adapter ----------------------------------------------------------------------------------

const HELLO = {
  type: "hello",
  protocol: 1,
  engine: { name: "Dusk in JavaScript", version: "1.0", language: "JavaScript", license: "MIT" },
  capabilities: ["events"],
  cards: Object.keys(CARDS),
};
const PLAYERS = ["alice", "bob"];

class Refused extends Error {}
class Unsupported extends Error {
  constructor(what, name, reason) {
    super(reason);
    Object.assign(this, { what, called: name });
  }
}

// What the protocol calls by an id, the engine calls a card: `named` has which is which.
function setUp(given) {
  if (given.players.length > 2 || given.teams) {
    throw new Unsupported("given", "players", "Dusk is for two players");
  }
  const light = given.designation === "neither" ? null : given.designation;
  const active = PLAYERS.indexOf(given.turn.active);
  const game = new Dusk(active, given.turn.step, given.turn.number, light);
  const named = new Map();
  PLAYERS.forEach((player, owner) => {
    game.players[owner].life = given[player].life;
    if (given[player].mana !== null) throw new Unsupported("given", "mana", "Dusk has no costs");
    for (const zone of ["library", "hand", "graveyard", "exile", "battlefield"]) {
      for (const item of given[player][zone]) {
        if (!Object.hasOwn(CARDS, item.card)) {
          throw new Unsupported("card", item.card, "Dusk does not have it");
        }
        const card = { ...CARDS[item.card], owner, zone, back: false, tapped: false };
        if (zone === "battlefield") setPermanent(card, item, player);
        named.set(item.id, card);
        game.cards.push(card);
      }
    }
  });
  game.lookAtTheSky();
  game.log = [];
  return { game, named, seen: 0 };
}

function setPermanent(card, item, player) {
  const plain = {
    damage: 0, "attached to": null, owner: player, "phased out": false, "face down": false,
    "copy of": null, token: false,
  };
  for (const [key, value] of Object.entries(plain)) {
    if (item[key] !== value) throw new Unsupported("given", key, "Dusk has plain permanents only");
  }
  if (Object.keys(item.counters).length) {
    throw new Unsupported("given", "counters", "Dusk has plain permanents only");
  }
  card.tapped = item.tapped;
  card.back = item.face === "back";
}

function act({ game, named }, step) {
  const find = (id) => {
    if (!named.has(id)) throw new Error(`there is no object ${id}`);
    return named.get(id);
  };
  try {
    switch (step.do) {
      case "cast":
        return game.cast(PLAYERS.indexOf(step.player), find(step.object));
      case "play":
        return game.playLand(PLAYERS.indexOf(step.player), find(step.object));
      case "resolve":
        game.resolveTop();
        while (step.what === "all" && game.stack.length) game.resolveTop();
        return undefined;
      case "advance":
        return advance(game, step.to, step.of);
      default:
        throw new Unsupported("step", step.do, "Dusk has neither combat nor abilities");
    }
  } catch (error) {
    throw error instanceof Illegal ? new Refused(error.message) : error;
  }
}

function advance(game, to, of) {
  for (let tries = 0; tries < 100; tries++) {
    while (game.stack.length) game.resolveTop();
    game.nextStep();
    if (game.step === to && (of === undefined || of === PLAYERS[game.active])) return;
  }
  throw new Unsupported("step", "advance", `Dusk has no step ${to}`);
}

function observe(table, look) {
  const { game, named } = table;
  const seen = {};
  if (look.designation) seen.designation = game.light ?? "neither";
  if (look.turn) {
    const turn = { active: PLAYERS[game.active], step: game.step, number: game.turn };
    seen.turn = pick(turn, look.turn);
  }
  if (look.objects) {
    seen.objects = {};
    for (const [id, keys] of Object.entries(look.objects)) {
      if (!named.has(id)) throw new Error(`there is no object ${id}`);
      seen.objects[id] = pick(object(named.get(id)), keys);
    }
  }
  if (look.players) {
    seen.players = {};
    for (const [name, keys] of Object.entries(look.players)) {
      seen.players[name] = pick(player(game, PLAYERS.indexOf(name)), keys);
    }
  }
  if (look.stack) {
    seen.stack = [...game.stack].reverse().map((card) => pick(spell(named, card), look.stack));
  }
  if (look.events) {
    const events = game.log.slice(table.seen).map((entry) => event(named, entry));
    seen.events = events.filter((each) => look.events.some((word) => word in each));
  }
  table.seen = game.log.length;
  return seen;
}

// Exactly the keys that were asked for; what is not known is said to be unsupported.
function pick(all, keys) {
  const picked = {};
  for (const key of keys) {
    if (!(key in all)) throw new Unsupported("look", key, "Dusk does not know it");
    picked[key] = all[key] ?? null;
  }
  return picked;
}

function object(card) {
  const there = card.zone === "battlefield";
  const face = card.faces[Number(card.back)];
  return {
    zone: card.zone,
    face: card.back ? "back" : "front",
    name: face.name,
    power: face.power,
    toughness: face.toughness,
    keywords: card.faces.length === 2 ? [card.back ? "nightbound" : "daybound"] : [],
    tapped: there ? card.tapped : null,
    controller: there ? PLAYERS[card.owner] : null,
    owner: PLAYERS[card.owner],
  };
}

function player(game, number) {
  const count = (zone) => game.pile(number, zone).length;
  const names = game.pile(number, "battlefield").map((card) => card.faces[Number(card.back)].name);
  const { life, lost, spells } = game.players[number];
  return {
    life,
    lost,
    poison: 0,
    hexproof: false,
    "spells cast": spells,
    hand: count("hand"),
    library: count("library"),
    graveyard: count("graveyard"),
    exile: count("exile"),
    permanents: names.sort(),
  };
}

function spell(named, card) {
  const controller = PLAYERS[card.owner];
  const name = card.faces[0].name;
  return { object: idOf(named, card), "ability of": null, face: "front", name, controller };
}

function event(named, entry) {
  switch (entry.word) {
    case "became":
      return { became: entry.light };
    case "turn":
    case "drew":
      return { [entry.word]: PLAYERS[entry.player] };
    case "step":
      return { step: entry.step, active: PLAYERS[entry.player] };
    case "cast":
      return { cast: idOf(named, entry.card), player: PLAYERS[entry.player] };
    case "entered": {
      const face = entry.back ? "back" : "front";
      const controller = PLAYERS[entry.card.owner];
      return { entered: idOf(named, entry.card), face, controller, tapped: false };
    }
    default:
      return { [entry.word]: idOf(named, entry.card) };
  }
}

function idOf(named, card) {
  for (const [id, each] of named) if (each === card) return id;
  return card.faces[0].name;
}

function run({ id, given, steps }) {
  const observations = [];
  let step = 0;
  try {
    const table = setUp(given);
    for (const each of steps) {
      step += 1;
      if (each.do === "look") observations.push(observe(table, each));
      else act(table, each);
    }
    return { type: "observations", id, observations };
  } catch (error) {
    const reason = error.message;
    if (error instanceof Refused) return { type: "refused", id, step, reason, observations };
    if (error instanceof Unsupported) {
      return { type: "unsupported", id, what: error.what, name: error.called, reason };
    }
    throw error;
  }
}

function answer(line) {
  let id = null;
  try {
    const message = JSON.parse(line);
    if (Number.isInteger(message?.id)) id = message.id;
    switch (message?.type) {
      case "hello":
        if (!message.protocol.includes(1)) throw new Error("this adapter speaks protocol 1");
        return HELLO;
      case "run":
        if (id === null) throw new Error("run needs an id");
        return run(message);
      case "bye":
        return { type: "bye" };
      default:
        throw new Error(`no request has the type ${message?.type}`);
    }
  } catch (error) {
    console.error(error.stack); // standard error is the log
    return { type: "error", id, reason: String(error.message) };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const reply = answer(line);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
  if (reply.type === "bye") break;
}
process.stdin.destroy();
