import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IRMAServer
import IdemixCore
import JSONKit

/// A call that is refused.
struct IRMAAttack: Sendable {
    let name: String
    var method = HTTPRequest.Method.post
    /// The path, where `WALLET` and `REQUESTOR` stand for the tokens of the session.
    let path: String
    var state = IRMAHostileSession.State.unknown
    /// The header of that name; `FRONTEND` stands for that of the session's frontend.
    var authorization: String?
    var type = "application/json"
    /// Indicates a server that only known requestors may use.
    var meetsKnownRequestors = false
    /// Indicates a call that is answered as it was before.
    var isRepetition = false
    let body: @Sendable (IRMAHostileSession) -> [UInt8]

    static func all() async throws -> [IRMAAttack] {
        messages() + answers() + (try wellFormed()) + requests() + tokens() + strangers() + replays() + outOfState()
            + (try await records())
    }

    /// Large where a message is read: nearly a megabyte.
    static let large = (1 << 20) - 512

    // MARK: Every endpoint that reads JSON

    static let readers: [IRMAAttack] = [
        IRMAAttack(name: "proofs", path: proofs, state: .connected(IRMAScene.disclosure), authorization: "wallet"),
        IRMAAttack(name: "signature", path: proofs, state: .connected(IRMAScene.signature), authorization: "wallet"),
        IRMAAttack(
            name: "commitments",
            path: "/irma/session/WALLET/commitments",
            state: .connected(IRMAScene.issuance),
            authorization: "wallet"
        ),
        IRMAAttack(
            name: "options",
            path: "/irma/session/WALLET/frontend/options",
            state: .waiting,
            authorization: "FRONTEND"
        ),
        IRMAAttack(name: "session", path: "/session"), IRMAAttack(name: "revocation", path: "/revocation"),
    ]

    static let proofs = "/irma/session/WALLET/proofs"

    init(
        name: String,
        path: String,
        state: IRMAHostileSession.State = .unknown,
        authorization: String? = nil
    ) {
        self.init(name: name, path: path, state: state, authorization: authorization) { _ in [] }
    }

    private init(
        name: String,
        method: HTTPRequest.Method = .post,
        path: String,
        state: IRMAHostileSession.State = .unknown,
        authorization: String? = nil,
        type: String = "application/json",
        body: @escaping @Sendable (IRMAHostileSession) -> [UInt8]
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.state = state
        self.authorization = authorization
        self.type = type
        self.body = body
    }

    /// The same endpoint with a text.
    func with(_ name: String, _ text: String) -> IRMAAttack {
        let bytes = Array(text.utf8)
        return IRMAAttack(
            name: "\(self.name): \(name)",
            path: path,
            state: state,
            authorization: authorization,
            type: type
        ) { _ in bytes }
    }

    private static func messages() -> [IRMAAttack] {
        var attacks: [IRMAAttack] = []
        for reader in readers {
            attacks += (malformed(large) + tenMegabytes).map { reader.with($0, $1) }
        }
        return attacks + fitting()
    }

    /// Messages below every limit on their size, for a session that asks for many credentials.
    private static func fitting() -> [IRMAAttack] {
        var request = IRMAScene.disclosure
        request.disclose.disjunctions = Array(repeating: request.disclose.disjunctions[0], count: 16)
        let reader = IRMAAttack(name: "many", path: proofs, state: .connected(request), authorization: "wallet")
        func proof(_ responses: (Int, Int), _ disclosed: (Int, Int)) -> String {
            func values(_ size: (Int, Int)) -> String {
                (0..<size.0).map { "\"\($0)\":\"\(String(repeating: "A", count: size.1))\"" }.joined(separator: ",")
            }
            return "{\"c\":\"AQ==\",\"A\":\"AQ==\",\"e_response\":\"AQ==\",\"v_response\":\"AQ==\","
                + "\"a_responses\":{\(values(responses))},\"a_disclosed\":{\(values(disclosed))}}"
        }
        func list(_ proof: String) -> String {
            "{\"proofs\":[\(Array(repeating: proof, count: 16).joined(separator: ","))],\"indices\":[]}"
        }
        let text = HostileText.repeated("x", upTo: 90_000)
        return malformed(large).map { reader.with($0, $1) } + [
            reader.with("many texts", "{\"x\":[" + HostileText.repeated("\"\(text)\",", upTo: large) + "1]}"),
            reader.with("long responses", list(proof((40, 1500), (2, 4)))),
            reader.with("short responses", list(proof((250, 4), (250, 4)))),
            reader.with("long attributes", list(proof((2, 4), (1, 60_000)))),
            reader.with("proofs with large members", list("{\"A\":\"\(text)\"}")),
        ]
    }

    private static func malformed(_ size: Int) -> [(String, String)] {
        let digits = String(repeating: "9", count: 4000)
        return [
            ("cut off", "{\"proofs\":[" + HostileText.repeated("\"x\",", upTo: size)),
            ("no JSON", HostileText.repeated("\u{1}", upTo: size)),
            ("deep arrays", HostileText.repeated("[", upTo: size)),
            ("deep objects", HostileText.repeated("{\"a\":", upTo: size)),
            ("a huge integer", "{\"n_2\":" + HostileText.repeated("9", upTo: size) + "}"),
            ("huge integers", "{\"x\":[" + HostileText.repeated(digits + ",", upTo: size) + "1]}"),
            ("another type", "[" + HostileText.repeated("\"x\",", upTo: min(size, 4 * 65_000)) + "\"x\"]"),
            ("members", "{" + HostileText.members(upTo: size, value: "\"0123456\"") + "}"),
            ("long members", "{" + HostileText.members(upTo: size, value: "\"\(digits)\"") + "}"),
            ("a member twice", "{\"a\":\"" + HostileText.repeated("x", upTo: size) + "\",\"a\":1}"),
            ("one text", "{\"a\":\"" + HostileText.repeated("x", upTo: size) + "\"}"),
            ("escapes", "{\"a\":\"" + HostileText.repeated("\\u00e4", upTo: size) + "\"}"),
            ("values", "{\"a\":[" + HostileText.repeated("1,", upTo: size) + "1]}"),
        ]
    }

    private static let tenMegabytes: [(String, String)] = {
        let half = HostileText.repeated("x", upTo: 5_000_000)
        return [
            ("10 MB of arrays", HostileText.repeated("[", upTo: 10_000_000)),
            ("10 MB in two texts", "{\"a\":\"\(half)\",\"b\":\"\(half)\"}"),
            ("12 MB", HostileText.repeated("[", upTo: 12_000_000)),
        ]
    }()

    // MARK: Messages of the right form

    private static func answers() -> [IRMAAttack] {
        let (disclosing, signing, issuing) = (readers[0], readers[1], readers[2])
        let context = "\"@context\":\"\(MessageContext.signedMessage.text)\""
        let places = HostileText.repeated("{\"cred\":0,\"attr\":1},", upTo: 400_000) + "{\"cred\":0,\"attr\":1}"
        let filler = HostileText.repeated("x", upTo: large)
        let many = "{" + HostileText.members(upTo: large, value: "\"0123456\"") + "}"
        var attacks = [
            disclosing.with("filler", "{\"proofs\":[],\"indices\":[],\"x\":\"\(filler)\"}"),
            disclosing.with("places", "{\"proofs\":[],\"indices\":[[\(places)]]}"),
            disclosing.with("lists of places", "{\"indices\":[" + HostileText.repeated("[],", upTo: 190_000) + "[]]}"),
            disclosing.with("a proof with many members", "{\"proofs\":[\(many)]}"),
            disclosing.with("an accumulator", "{\"proofs\":[\(proof(",\"nonrev_proof\":" + nonRevocation))]}"),
            disclosing.with("range proofs", "{\"proofs\":[\(proof(",\"rangeproofs\":{\"2\":[\(rangeProofs)]}"))]}"),
            disclosing.with("many responses", "{\"proofs\":[{\"A\":1,\"a_responses\":\(many)}]}"),
            signing.with("another message", "{\(context),\"signature\":[],\"indices\":[],\"message\":\"\(filler)\"}"),
            signing.with(
                "a message that is kept",
                "{\(context),\"signature\":[],\"indices\":[],\"message\":\""
                    + HostileText.repeated("x", upTo: 1_000_000) + "\"}"
            ),
            signing.with("places", "{\(context),\"signature\":[],\"indices\":[[\(places)]],\"message\":\"a\"}"),
            signing.with(
                "a timestamp",
                "{\(context),\"signature\":[],\"indices\":[],\"message\":\"a\",\"timestamp\":{\"Time\":1,\"ServerUrl\":"
                    + "\"https://time.example\",\"Sig\":{\"Alg\":\"ed25519\",\"Data\":\""
                    + HostileText.repeated("AAAA", upTo: large) + "\",\"PublicKey\":\"\"}}}"
            ),
            issuing.with("tokens of keyshare servers", "{\"n_2\":\"AQ==\",\"proofPJwts\":\(many)}"),
            issuing.with("a token", "{\"n_2\":\"AQ==\",\"proofPJwt\":\"a.\(filler).c\"}"),
            issuing.with("places", "{\"n_2\":\"AQ==\",\"indices\":[[\(places)]]}"),
            issuing.with(
                "keys of copies",
                "{\"n_2\":\"AQ==\",\"keybinding_pub_keys\":[" + HostileText.repeated("{},", upTo: 180_000) + "{}]}"
            ),
        ]
        for (name, number) in numbers {
            attacks.append(disclosing.with("a proof of \(name)", "{\"proofs\":[\(proof("", number))],\"indices\":[]}"))
            attacks.append(
                issuing.with("a nonce among \(name)", "{\"n_2\":\(number),\"combinedProofs\":[\(proof("", number))]}")
            )
        }
        return attacks
    }

    /// The longest integers that are read, in both forms.
    private static let numbers = [
        ("long texts", "\"\(String(repeating: "/", count: 2048))\""),
        ("long numbers", String(repeating: "9", count: 2500)),
    ]

    /// A disclosure with as many values as are read, and other members.
    private static func proof(_ others: String, _ number: String = "\"AQ==\"") -> String {
        let count = number.utf8.count > 100 ? 256 : 3
        let values = (0..<count).map { "\"\($0)\":\(number)" }.joined(separator: ",")
        return "{\"c\":\(number),\"A\":\(number),\"e_response\":\(number),\"v_response\":\(number),"
            + "\"a_responses\":{\(values)},\"a_disclosed\":{\(values)}\(others)}"
    }

    private static let nonRevocation =
        "{\"C_r\":1,\"C_u\":1,\"responses\":{\"beta\":1,\"delta\":1,\"epsilon\":1,\"zeta\":1},\"sacc\":{\"data\":\""
        + HostileText.repeated("n5+f", upTo: large) + "\",\"pk\":1}}"

    private static let rangeProofs =
        HostileText.repeated("{\"Cs\":[1],\"CsRand\":[1],\"ld\":1},", upTo: 300_000) + "{}"

    private static func requests() -> [IRMAAttack] {
        let (session, revocation) = (readers[4], readers[5])
        let disclosure = "{\"@context\":\"\(MessageContext.disclosureRequest.text)\","
        let issuance = "{\"@context\":\"\(MessageContext.issuanceRequest.text)\",\"credentials\":["
        let known = HostileText.repeated("\"demo.bank.card.name\",", upTo: 200_000)
        let unknown = (0..<9_900).map { "\"demo.bank.card.a\($0)\"" }.joined(separator: ",")
        let types = (0..<4_900).map { "[\"demo.bank.card\($0).name\"]" }.joined(separator: ",")
        let labels = (0..<30_000).map { "\"\($0)\":{\"en\":\"0123456789\"}" }.joined(separator: ",")
        let credential = "{\"credential\":\"demo.bank.card\",\"attributes\":{\"name\":\"Alice\"}},"
        let long = HostileText.repeated("x", upTo: large)
        return [
            session.with("attributes of one card", disclosure + "\"disclose\":[[[\(known)\"demo.bank.other\"]]]}"),
            session.with("unknown attributes", disclosure + "\"disclose\":[[[\(unknown)]]]}"),
            session.with("unknown types", disclosure + "\"disclose\":[[\(types)]]}"),
            session.with(
                "disjunctions",
                disclosure + "\"disclose\":[" + HostileText.repeated("[],", upTo: large / 6) + "[]]}"
            ),
            session.with(
                "conjunctions",
                disclosure + "\"disclose\":[[" + HostileText.repeated("[],", upTo: large / 6) + "[]]]}"
            ),
            session.with("labels", disclosure + "\"disclose\":[],\"labels\":{\(labels)}}"),
            session.with("a long attribute", disclosure + "\"disclose\":[[[\"\(long)\"]]]}"),
            session.with(
                "many dots",
                disclosure + "\"disclose\":[[[\"\(HostileText.repeated("a.", upTo: large))\"]]]}"
            ),
            session.with("a host", disclosure + "\"disclose\":[[[\"demo.bank.card.name\"]]],\"host\":\"\(long)\"}"),
            session.with("a credential with many attributes", Self.manyAttributes(issuance)),
            session.with("conjunctions of one attribute", disclosure + Self.manyConjunctions),
            session.with("credentials", issuance + HostileText.repeated(credential, upTo: 600_000) + "{}]}"),
            session.with(
                "incomplete credentials",
                issuance + String((HostileText.repeated(credential, upTo: 500_000)).dropLast()) + "]}"
            ),
            session.with(
                "an older request",
                "{\"content\":[" + HostileText.repeated("{\"label\":\"a\",\"attributes\":[\"b\"]},", upTo: 400_000)
                    + "{}]}"
            ),
            session.with(
                "an older issuance",
                "{\"credentials\":[" + HostileText.repeated(credential, upTo: 600_000) + "{}]}"
            ),
            revocation.with(
                "a long key",
                "{\"@context\":\"\(MessageContext.revocationRequest.text)\",\"type\":\"demo.bank.pass\","
                    + "\"revocationKey\":\"\(long)\"}"
            ),
            revocation.with(
                "a long type",
                "{\"@context\":\"\(MessageContext.revocationRequest.text)\",\"type\":\"\(long)\",\"revocationKey\":\"a\"}"
            ),
        ]
    }

    // MARK: Signed messages of requestors

    private static func tokens() -> [IRMAAttack] {
        func token(_ header: String, _ payload: String, signature: Int) -> String {
            let parts = [Array(header.utf8), Array(payload.utf8), [UInt8](repeating: 7, count: signature)]
            return parts.map { JSONBase64.base64url.encode($0) }.joined(separator: ".")
        }
        func payload(_ issuer: String, _ size: Int) -> String {
            "{\"iss\":\"\(issuer)\",\"x\":[" + HostileText.repeated("\"0123456789abcdef\",", upTo: size * 3 / 4)
                + "\"\"]}"
        }
        let (hmac, curve) = ("{\"alg\":\"HS256\",\"typ\":\"JWT\"}", "{\"alg\":\"ES256\",\"typ\":\"JWT\"}")
        let texts: [(String, String)] = [
            ("no token", HostileText.repeated("a", upTo: large)), ("dots", HostileText.repeated(".", upTo: large)),
            (
                "a long header",
                token("{\"alg\":\"HS256\",\"x\":\"\(HostileText.repeated("x", upTo: 700_000))\"}", "{}", signature: 32)
            ),
            ("deep claims", token(hmac, HostileText.repeated("[", upTo: 700_000), signature: 32)),
            ("an unknown requestor", token(hmac, payload("nobody", large), signature: 32)),
            ("10 MB of an unknown requestor", token(hmac, payload("nobody", 10_000_000), signature: 32)),
            ("a wrong tag", token(hmac, payload("hmac", large), signature: 32)),
            ("10 MB with a wrong tag", token(hmac, payload("hmac", 10_000_000), signature: 32)),
            ("a wrong signature", token(curve, payload("curve", large), signature: 64)),
            ("10 MB with a wrong signature", token(curve, payload("curve", 10_000_000), signature: 64)),
            ("a key of another kind", token(hmac, payload("curve", large), signature: 32)),
            ("no algorithm", token("{\"alg\":\"none\"}", payload("hmac", large), signature: 0)),
            ("12 MB", HostileText.repeated("a", upTo: 12_000_000)),
        ]
        return ["/session", "/revocation"].flatMap { path in
            texts.map { name, text in
                let bytes = Array(text.utf8)
                var attack = IRMAAttack(name: "\(path) signed: \(name)", path: path, type: "text/plain") { _ in bytes }
                attack.meetsKnownRequestors = true
                return attack
            }
        }
    }

    // MARK: Tokens and states

    private static let strangersBody = Array(
        ("{\"proofs\":[" + HostileText.repeated("\"0123456789abcdef\",", upTo: large) + "\"\"]}").utf8
    )

    /// Every endpoint, with the methods that it has.
    private static let endpoints: [(HTTPRequest.Method, String)] = [
        (.get, "/irma/session/WALLET"), (.get, "/irma/session/WALLET/request"), (.get, "/irma/session/WALLET/status"),
        (.get, "/irma/session/WALLET/statusevents"), (.post, "/irma/session/WALLET/proofs"),
        (.post, "/irma/session/WALLET/commitments"), (.delete, "/irma/session/WALLET"),
        (.post, "/irma/session/WALLET"), (.get, "/irma/session/WALLET/frontend/status"),
        (.get, "/irma/session/WALLET/frontend/statusevents"), (.post, "/irma/session/WALLET/frontend/options"),
        (.post, "/irma/session/WALLET/frontend/pairingcompleted"), (.delete, "/session/REQUESTOR"),
        (.get, "/session/REQUESTOR/status"), (.get, "/session/REQUESTOR/statusevents"),
        (.get, "/session/REQUESTOR/result"), (.get, "/session/REQUESTOR/result-jwt"),
        (.get, "/session/REQUESTOR/getproof"), (.get, "/publickey"), (.post, "/health"), (.put, "/session"),
        (.get, "/irma/revocation/demo.bank.pass/events/1/0/17"),
        (.get, "/irma/revocation/demo.bank.pass/events/99999999999999999999/0/16"),
        (.get, "/irma/revocation/demo.bank.pass/update/-1"), (.get, "/irma/revocation/demo.bank.card/updateevents"),
        (.get, "/irma/revocation/demo.bank.pass/update/1/99999999999999999999"), (.get, "/nowhere"),
    ]

    private static func strangers() -> [IRMAAttack] {
        func call(
            _ kind: String,
            _ endpoint: (method: HTTPRequest.Method, path: String),
            _ state: IRMAHostileSession.State = .unknown,
            _ path: String? = nil
        ) -> IRMAAttack {
            IRMAAttack(
                name: "\(endpoint.method) \(endpoint.path): \(kind)",
                method: endpoint.method,
                path: path ?? endpoint.path,
                state: state,
                authorization: "stranger"
            ) { _ in strangersBody }
        }
        let unknown = endpoints.map { call("an unknown token", $0) }
        let malformed = endpoints.filter { $0.1.contains("WALLET") || $0.1.contains("REQUESTOR") }.map { endpoint in
            let long = String(repeating: "%41", count: 2000)
            let path = endpoint.1.replacing("WALLET", with: long).replacing("REQUESTOR", with: long)
            return call("no token", endpoint, .unknown, path)
        }
        let guarded = endpoints.filter { ["/request", "/proofs", "frontend/"].contains(where: $0.1.contains) }
            .map { call("a wrong authorization", $0, .connected(IRMAScene.disclosure)) }
        let requestors = ["/session", "/revocation"].map { path in
            var attack = call("a wrong token", (.post, path))
            attack.meetsKnownRequestors = true
            return attack
        }
        return unknown + malformed + guarded + requestors
    }

    private static func replays() -> [IRMAAttack] {
        func replay(
            _ name: String,
            by wallet: String = "wallet",
            _ body: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) -> IRMAAttack {
            IRMAAttack(name: "proofs: \(name)", path: proofs, state: .done, authorization: wallet) { body($0.proofs) }
        }
        var repetition = replay("the same again") { $0 }
        repetition.isRepetition = true
        return [
            repetition, replay("the same by another wallet", by: "stranger") { $0 },
            replay("others of the same size") { [0x20] + $0.dropFirst() }, replay("longer ones") { $0 + [0x20] },
        ]
    }

    private static func outOfState() -> [IRMAAttack] {
        let calls: [(HTTPRequest.Method, String, String, IRMAHostileSession.State, String)] = [
            (.post, proofs, "wallet", .waiting, "before the request"),
            (.post, proofs, "wallet", .pairing, "while pairing"),
            (.post, proofs, "wallet", .cancelled, "after the end"),
            (.post, "/irma/session/WALLET/commitments", "wallet", .waiting, "before the request"),
            (.post, "/irma/session/WALLET/commitments", "wallet", .cancelled, "after the end"),
            (.get, "/irma/session/WALLET/request", "wallet", .pairing, "while pairing"),
            (.get, "/irma/session/WALLET", "stranger", .connected(IRMAScene.disclosure), "by another wallet"),
            (.get, "/irma/session/WALLET/statusevents", "wallet", .cancelled, "after the end"),
            (.get, "/session/REQUESTOR/statusevents", "", .cancelled, "after the end"),
            (
                .post, "/irma/session/WALLET/frontend/options", "FRONTEND", .connected(IRMAScene.disclosure),
                "after a wallet"
            ),
            (.post, "/irma/session/WALLET/frontend/pairingcompleted", "FRONTEND", .waiting, "before a wallet"),
        ]
        return calls.map { method, path, authorization, state, name in
            IRMAAttack(
                name: "\(method) \(path): \(name)",
                method: method,
                path: path,
                state: state,
                authorization: authorization
            ) { _ in strangersBody }
        }
    }

    // MARK: Records of other servers

    private static func records() async throws -> [IRMAAttack] {
        let size = 60_000
        let record = IssuanceRecord(
            revocationKey: HostileText.repeated("x", upTo: size),
            credentialType: IRMAScene.pass,
            issued: 1,
            keyCounter: 1,
            attribute: 7,
            validUntil: .max
        )
        let forged = try await record.signed(with: SoftwareSigner(PrivateKey.generate(.p256)))
        let bodies: [(String, [UInt8])] = [
            ("deep arrays", [UInt8](repeating: 0x81, count: size)),
            ("endless arrays", [UInt8](repeating: 0x9f, count: size)),
            ("integers", [0x99, 0xea, 0x60] + [UInt8](repeating: 1, count: size)),
            ("a map that is cut off", [0xbb, 0x7f] + [UInt8](repeating: 0xff, count: size)),
            ("a huge integer", [0xc2, 0x59, 0xea, 0x60] + [UInt8](repeating: 0xff, count: size)),
            ("another key", forged), ("10 MB", [UInt8](repeating: 0x81, count: 10_000_000)),
        ]
        return bodies.map { name, body in
            IRMAAttack(name: "issuance record: \(name)", path: "/irma/revocation/demo.bank.pass/issuancerecord/1") {
                _ in
                body
            }
        }
    }
}
