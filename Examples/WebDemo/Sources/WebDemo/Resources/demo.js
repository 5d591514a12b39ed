// The page of the demo: asks, shows the state, and shows what was verified.

import { follow } from "/status.js";

const element = (id) => document.getElementById(id);
const titles = { openid4vp: "The shop asks with OpenID4VP", irma: "The shop asks with IRMA" };
const steps = ["Waiting for a wallet", "A wallet has the request", "The answer is verified"];

/** The states, with the step that is reached and the words for it. */
const states = {
    created: [0, "Scan the code with a wallet."],
    requested: [1, "The wallet has the request, and asks its user."],
    answered: [2, "The answer is being verified."],
    verified: [3, "The answer is verified."],
    failed: [2, "The answer was refused."],
    declined: [1, "The user declined."],
    expired: [0, "No answer came in time."],
    cancelled: [0, "Cancelled."],
    INITIALIZED: [0, "Scan the code with a wallet."],
    PAIRING: [0, "A wallet has scanned the code. Is it yours?"],
    CONNECTED: [1, "The wallet has the request, and asks its user."],
    DONE: [3, "The wallet has answered."],
    CANCELLED: [0, "Cancelled."],
    TIMEOUT: [0, "No answer came in time."],
};

/** The session that is open, or nothing. */
let current;

async function call(path, options = {}) {
    const response = await fetch(path, options);
    const body = response.status === 204 ? {} : await response.json();
    if (!response.ok) throw new Error(body.error ?? body.message ?? `status ${response.status}`);
    return body;
}

/** Runs something for the user; its failure is shown. */
async function attempt(work) {
    element("error").hidden = true;
    try {
        await work();
    } catch (error) {
        if (error.name === "AbortError") return;
        element("error").textContent = `That did not work: ${error.message}`;
        element("error").hidden = false;
    }
}

function show(id) {
    for (const name of ["choice", "session", "result"]) element(name).hidden = name !== id;
    document.body.dataset.view = id;
}

function node(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

// Asking

async function ask(kind) {
    const session = await call(`/ask/${kind}`, { method: "POST" });
    session.kind = kind;
    session.controller = new AbortController();
    current = session;
    if (session.pairing && element("pairs").checked) await wantPairing(session);
    element("session-title").textContent = titles[kind];
    element("qr").src = "data:image/svg+xml," + encodeURIComponent(session.qr);
    element("link").href = session.link;
    element("pairing").hidden = true;
    element("wallet-code").hidden = true;
    element("way").textContent = "";
    element("demo-wallet").disabled = false;
    showState(session, states[kind === "irma" ? "INITIALIZED" : "created"]);
    show("session");
    element("session-title").focus();
    const state = await follow(session, (state, way) => update(session, state, way), session.controller.signal);
    if (current !== session) return;
    current = undefined;
    await finish(session, state);
}

async function wantPairing(session) {
    const options = await call(session.pairing.options, {
        method: "POST",
        headers: { Authorization: session.authorization, "Content-Type": "application/json" },
        body: JSON.stringify({ "@context": "https://irma.app/ld/request/frontendoptions/v1", pairingMethod: "pin" }),
    });
    session.code = options.pairingCode;
}

function update(session, state, way) {
    if (current !== session) return;
    document.body.dataset.state = state;
    showState(session, states[state] ?? [0, state]);
    element("way").textContent =
        way === "events" ? "The server tells each change by an event." : "The page asks for the state again and again.";
    const isPairing = state === "PAIRING";
    if (isPairing && element("pairing").hidden) element("code").value = element("code-error").textContent = "";
    element("pairing").hidden = !isPairing;
    if (isPairing) element("code").focus();
    if (!["created", "INITIALIZED"].includes(state)) element("demo-wallet").disabled = true;
}

function showState(session, [reached, text]) {
    element("steps").replaceChildren(
        ...steps.map((step, place) => {
            const item = node("li", { textContent: step, className: place < reached ? "done" : "" });
            if (place === reached) item.setAttribute("aria-current", "step");
            return item;
        })
    );
    element("status").textContent = text;
}

function pair(session) {
    if (element("code").value !== session.code) {
        element("code-error").textContent = "This is not the code. Cancel if your wallet shows none.";
        element("code").select();
        return;
    }
    return call(session.pairing.completed, { method: "POST", headers: { Authorization: session.authorization } });
}

async function answerWithDemoWallet(session) {
    element("demo-wallet").disabled = true;
    const answer = await call(`/ask/${session.kind}/wallet`, {
        method: "POST",
        headers: { "Content-Type": "text/plain" },
        body: session.text,
    });
    if (!answer.pairing_code) return;
    element("wallet-code").replaceChildren("The demo wallet shows ", node("strong", { textContent: answer.pairing_code }));
    element("wallet-code").hidden = false;
}

function cancel(session) {
    return fetch(session.cancel, { method: "DELETE", keepalive: true });
}

// The result

async function finish(session, state) {
    const outcome = await call(`/ask/${session.kind}/${encodeURIComponent(session.token)}`);
    element("verdict").textContent = outcome.verified ? "Verified" : "Not verified";
    element("result").className = outcome.verified ? "box good" : "box bad";
    element("reason").textContent = outcome.reason ?? "The shop can rely on these claims.";
    element("claims").replaceChildren(...claimTable(outcome.claims));
    const report = outcome.verification;
    element("checks").replaceChildren(...(report ? [node("h3", { textContent: "Checks" }), ...checks(report, "")] : []));
    element("raw").hidden = !report;
    element("raw").open = false;
    element("json").textContent = report ? JSON.stringify(report, null, 2) : "";
    document.body.dataset.state = state;
    show("result");
    element("verdict").focus();
}

function table(caption, heads, rows) {
    return node(
        "table",
        {},
        node("caption", { textContent: caption }),
        node("thead", {}, node("tr", {}, ...heads.map((text) => node("th", { textContent: text, scope: "col" })))),
        node("tbody", {}, ...rows)
    );
}

function claimTable(claims) {
    if (claims.length === 0) return [];
    const rows = claims.map((claim) =>
        node("tr", {}, ...[claim.source, claim.name, claim.value].map((text) => node("td", { textContent: text })))
    );
    return [node("h3", { textContent: "Claims" }), table("What the wallet disclosed", ["From", "Claim", "Value"], rows)];
}

const marks = {
    passed: "✓ passed", failed: "✗ failed", unavailable: "✗ unavailable", notApplicable: "– not applicable",
    waived: "– waived", notReached: "– not reached",
};

/** A table for a verification, and one for each that is nested in it. */
function checks(report, name) {
    const rows = report.checks.map((check) =>
        node(
            "tr",
            { className: check.result },
            node("td", { textContent: check.check }),
            node("td", { textContent: marks[check.result] ?? check.result, className: "outcome" }),
            node("td", { textContent: [(check.path ?? []).join(" › "), check.message].filter(Boolean).join(": ") })
        )
    );
    const caption = `${name || "The whole answer"}: ${report.verdict}`;
    const own = rows.length > 0 ? [table(caption, ["Check", "Outcome", "Where and why"], rows)] : [];
    const parts = (report.parts ?? []).flatMap((part) =>
        checks(part.verification, name ? `${name} › ${part.name}` : part.name)
    );
    return [...own, ...parts];
}

// Events of the page

for (const kind of Object.keys(titles)) {
    element(`ask-${kind}`).addEventListener("click", () => attempt(() => ask(kind)));
}
element("demo-wallet").addEventListener("click", () => attempt(() => answerWithDemoWallet(current)));
element("pairing").addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => pair(current));
});
element("cancel").addEventListener("click", () => attempt(() => cancel(current)));
element("again").addEventListener("click", () => {
    show("choice");
    element("ask-openid4vp").focus();
});
// A session whose page is gone has nobody to tell.
addEventListener("pagehide", () => {
    if (!current) return;
    current.controller.abort();
    cancel(current);
});
show("choice");
document.body.dataset.ready = "true";
