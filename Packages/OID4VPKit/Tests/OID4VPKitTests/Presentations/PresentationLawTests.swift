import CBORKit
import CryptoCore
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

/// Laws for every request and every store: the finished response, read again, holds what the plan says and nothing else.
struct PresentationLawTests {
    private static let mdocPaths: [ClaimPath] = [
        ["org.iso.18013.5.1", "family_name"], ["org.iso.18013.5.1", "given_name"],
        ["org.iso.18013.5.1", "birth_place"], ["org.iso.18013.5.1", "age_over_18"],
        ["org.iso.18013.5.1.aamva", "organ_donor"],
    ]
    private static let sdJWTPaths: [ClaimPath] = [
        ["given_name"], ["family_name"], ["address"], ["address", "street"], ["address", "country"], ["degrees"],
        ["degrees", nil], ["degrees", 1, "type"], ["vct"],
    ]
    private static let formats = ["mso_mdoc", "dc+sd-jwt", "ldp_vc", "jwt_vc_json"]

    private struct Random {
        var generator: RepeatableRandomNumberGenerator

        mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        mutating func some<Value>(of values: [Value], _ range: ClosedRange<Int>) -> [Value] {
            Array(values.shuffled(using: &generator).prefix(number(range)))
        }
    }

    private func credentials(
        _ scene: PresentationScene,
        _ random: inout Random
    ) async throws -> [PresentableCredential] {
        var credentials: [PresentableCredential] = []
        for number in 0..<random.number(4...8) {
            let name = "c\(number)"
            switch number < 4 ? number : random.number(0...3) {
            case 0: credentials.append(try await scene.mdoc(name))
            case 1: credentials.append(try await scene.sdJWT(name))
            case 2: credentials.append(try await scene.linkedData(name, version: random.number(0...1) == 0 ? .v1 : .v2))
            default: credentials.append(try await scene.token(name, version: random.number(0...1) == 0 ? .v1 : .v2))
            }
        }
        return credentials
    }

    private func dcql(_ random: inout Random) -> JSONObject {
        let queries = (0..<random.number(1...4)).map { number -> JSONValue in
            let format = Self.formats[random.number(0...3)]
            var query: JSONObject = [
                "id": .string("q\(number)"), "format": .string(format), "meta": [:],
                "multiple": .bool(random.number(0...2) == 0),
            ]
            let paths: [ClaimPath]
            switch format {
            case "mso_mdoc": paths = random.some(of: Self.mdocPaths, 0...4)
            case "dc+sd-jwt": paths = random.some(of: Self.sdJWTPaths, 0...4)
            default: paths = random.some(of: [["credentialSubject", "level"]], 0...1)
            }
            if !paths.isEmpty { query["claims"] = .array(paths.map { .object(["path": $0.json]) }) }
            return .object(query)
        }
        return PresentationScene.dcql(contentsOf: queries)
    }

    private func definition(_ random: inout Random) -> JSONObject {
        let descriptors = Self.formats.shuffled(using: &random.generator).prefix(random.number(1...4))
            .map { format -> JSONValue in
                let paths: [String]
                switch format {
                case "mso_mdoc":
                    paths = random.some(of: ["family_name", "given_name", "age_over_18"], 1...2)
                        .map { "$['org.iso.18013.5.1']['\($0)']" }
                case "dc+sd-jwt":
                    paths = random.some(of: ["$.given_name", "$.address", "$.address.country", "$.degrees[0]"], 1...3)
                default: paths = ["$.credentialSubject.level"]
                }
                return [
                    "id": .string(format == "mso_mdoc" ? "org.iso.18013.5.1.mDL" : "d-\(format)"),
                    "format": .object([format: [:]]),
                    "constraints": ["fields": .array(paths.map { .object(["path": [.string($0)]]) })],
                ]
            }
        return PresentationScene.definition(contentsOf: Array(descriptors))
    }

    /// The claims of a credential in a response that its holder could have withheld.
    private func disclosed(_ value: JSONValue, _ format: CredentialFormat) throws -> [Set<ClaimPath>] {
        switch format {
        case .mdoc:
            let response = try DeviceResponse(decoding: Base64URL.decode(try #require(value.stringValue)))
            #expect(response.unreadableDocuments.isEmpty)
            return response.documents.map { document in
                Set(
                    document.issuerSigned.nameSpaces.flatMap { group in
                        group.items.map { ClaimPath([.name(group.nameSpace.text), .name($0.elementIdentifier.text)]) }
                    }
                )
            }
        default:
            let sdJWT = try SDJWT(compact: try #require(value.stringValue))
            return [Set(try sdJWT.unverifiedPayload().disclosedClaims)]
        }
    }

    /// A disclosed claim is one that was asked for, one around it, or one inside it; and each that was asked for is there.
    private func expectNothingElse(
        _ disclosed: Set<ClaimPath>,
        than entry: PresentationPlan.Entry,
        of credential: PresentableCredential,
        _ value: JSONValue,
        _ seed: Int
    ) throws {
        for claim in disclosed {
            let isNeeded = entry.match.claims.contains { path in
                zip(claim.components, path.components).allSatisfy { found, wanted in
                    if case .all = wanted { true } else { found == wanted }
                }
            }
            #expect(isNeeded, "\(claim) of \(entry) with seed \(seed)")
        }
        if case .mdoc = credential {
            #expect(disclosed == Set(entry.match.claims), "seed \(seed)")
        } else {
            let payload = try SDJWT(compact: try #require(value.stringValue)).unverifiedPayload()
            for path in entry.match.claims {
                let expected = try path.values(in: .object(credential.queryable.claims))
                #expect(try payload.values(at: path) == expected, "\(path) with seed \(seed)")
            }
        }
    }

    /// The credentials of a W3C presentation, in the form in which the wallet has them.
    private func content(_ value: JSONValue) throws -> [[UInt8]] {
        let presentation: JSONValue
        if let text = value.stringValue {
            let payload = try JSONValue(parsing: JWT(compact: text).jws.unverifiedPayload ?? [])
            presentation = payload["vp"] ?? payload
        } else {
            presentation = value
        }
        return (presentation["verifiableCredential"]?.arrayValue ?? []).map { credential in
            let token =
                credential.stringValue ?? credential["id"]?.stringValue?.split(separator: ",").last.map(String.init)
            return credential["proof"] == nil ? Array((token ?? "").utf8) : credential.encoded()
        }
    }

    private func bytes(_ credential: PresentableCredential) throws -> [UInt8] {
        guard case .w3c(let w3c) = credential else { return [] }
        switch w3c.credential.form {
        case .linkedData(let document): return JSONValue.object(document.unverifiedMembers).encoded()
        case .token(let token): return Array(try token.compactSerialization().utf8)
        }
    }

    private func expectNothingElse(
        _ value: JSONValue,
        _ entries: [PresentationPlan.Entry],
        _ store: [PresentableCredential],
        _ seed: Int
    ) throws {
        let credentials = try entries.map { entry in
            try #require(store.first { $0.name == entry.match.credential })
        }
        let format = credentials[0].queryable.format
        guard format.disclosesSelectively else {
            #expect(Set(try content(value)) == Set(try credentials.map(bytes)), "seed \(seed)")
            return
        }
        let found = try disclosed(value, format)
        #expect(found.count == entries.count, "seed \(seed)")
        for (disclosed, (entry, credential)) in zip(found, zip(entries, credentials)) {
            try expectNothingElse(disclosed, than: entry, of: credential, value, seed)
        }
    }

    @Test(arguments: 0..<60)
    func answersToQueriesHoldWhatThePlanSays(_ seed: Int) async throws {
        var random = Random(generator: RepeatableRandomNumberGenerator(seed: UInt64(seed)))
        let scene = try await PresentationScene.make()
        let store = try await credentials(scene, &random)
        let (authenticated, request) = try await PresentationScene.request(dcql(&random))
        let result = try request.evaluate(over: store.queryable, at: PresentationScene.now)
        // Where several are permitted, all that match.
        let selection = result.queries.map { outcome in
            (outcome.id, outcome.matches.prefix(outcome.allowsMultiple ? 8 : 1).map(\.credential))
        }
        let plan = try result.plan(choosing: Dictionary(selection) { first, _ in first })
        let builder = PresentationBuilder(
            request,
            try PresentationBinding(authenticated, request, mdocGeneratedNonce: "w")
        )
        let unsigned = try await builder.prepare(plan, of: store, keys: scene.keys(), at: PresentationScene.now)
        guard case .queries(let answers) = try await unsigned.signed(with: scene.signers) else {
            Issue.record("another form")
            return
        }
        #expect(answers.map(\.query) == result.queries.map(\.id))
        for answer in answers {
            let entries = plan.entries.filter { $0.query == answer.query }
            #expect(answer.presentations.count == entries.count)
            for (value, entry) in zip(answer.presentations, entries) {
                try expectNothingElse(value, [entry], store, seed)
            }
        }
    }

    @Test(arguments: 0..<40)
    func answersToDefinitionsHoldWhatThePlanSays(_ seed: Int) async throws {
        var random = Random(generator: RepeatableRandomNumberGenerator(seed: UInt64(seed) + 1_000))
        let scene = try await PresentationScene.make()
        let store = try await credentials(scene, &random)
        let request = try await PresentationScene.request(definition(&random), mode: "direct_post.jwt")
        let plan = try request.1.evaluate(over: store.queryable, at: PresentationScene.now).preferredPlan()
        let unsigned = try await scene.prepare(store, for: request)
        guard case .definition(let presentations, let submission) = try await unsigned.signed(with: scene.signers)
        else {
            Issue.record("another form")
            return
        }
        #expect(submission.entries.map(\.descriptor) == plan.entries.map(\.query))
        for (number, value) in presentations.enumerated() {
            let path = presentations.count == 1 ? "$" : "$[\(number)]"
            let answered = submission.entries.filter { $0.path == path }.map(\.descriptor)
            #expect(!answered.isEmpty)
            try expectNothingElse(value, plan.entries.filter { answered.contains($0.query) }, store, seed)
        }
    }

    /// Both ways to sign make the same presentations.
    @Test(arguments: 0..<8)
    func twoStepsAndSignersGiveTheSame(_ seed: Int) async throws {
        var random = Random(generator: RepeatableRandomNumberGenerator(seed: UInt64(seed) + 2_000))
        let scene = try await PresentationScene.make()
        let store = try await credentials(scene, &random)
        let request = try await PresentationScene.request(dcql(&random))
        let unsigned = try await scene.prepare(store, for: request)
        let again = try await scene.prepare(store, for: request)
        #expect(unsigned.pendingSignatures.map(\.id) == again.pendingSignatures.map(\.id))
        #expect(unsigned.pendingSignatures.map(\.bytesToSign) == again.pendingSignatures.map(\.bytesToSign))
        var signatures: [String: PresentationSignature] = [:]
        var made: [[UInt8]: [UInt8]] = [:]
        for pending in unsigned.pendingSignatures {
            let signer = try #require(scene.signers.first { $0.publicKey == pending.key })
            let signature = try await signer.signature(for: pending.bytesToSign)
            signatures[pending.id] = .bytes(signature)
            made[pending.bytesToSign] = signature
        }
        let replaying = scene.signers.map { ReplayingSigner(signer: $0, signatures: made) }
        let inOneStep = try await again.signed(with: replaying).parameters
        #expect(try unsigned.completed(with: signatures).parameters == inOneStep)
    }
}

/// A signer that makes the same signature twice, which ECDSA does not.
private struct ReplayingSigner: Signer {
    let signer: any Signer
    let signatures: [[UInt8]: [UInt8]]

    var publicKey: PublicKey { signer.publicKey }
    var algorithm: SignatureAlgorithm { signer.algorithm }

    func signature(for message: [UInt8]) async throws -> [UInt8] {
        if let signature = signatures[message] { return signature }
        return try await signer.signature(for: message)
    }
}
