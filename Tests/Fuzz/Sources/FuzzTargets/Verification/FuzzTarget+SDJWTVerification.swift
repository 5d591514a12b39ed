import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import StatusListKit
import TestSupport

extension FuzzTarget {
    /// The verification of SD-JWT with key binding, status and type metadata.
    package static let sdJWTVerification = [
        FuzzTarget(name: "sd-jwt-verification") { bytes in
            let scene = SDJWTFuzzScene.shared
            var script = FuzzScript(bytes)
            let edit = script.choice(of: SDJWTFuzzScene.Edit.allCases)
            let status = script.choice(of: [CredentialStatus.good, .good, .revoked, .suspended, .application(3)])
            let changed = scene.text(edit, by: &script)
            let sdJWT = try SDJWT(compact: changed)
            require(try Array(sdJWT.compactSerialization().utf8) == changed, "what was received is written as it was")
            let verification = try InlineTask.run { await scene.verify(sdJWT, status) }
            let failed = verification.checks.first { if case .failed = $0.outcome { true } else { false } }
            require(
                failed == nil || failed?.check == verification.refusal?.check,
                "a refusal names another check than the first failed one"
            )
            let again = try InlineTask.run { await scene.verify(sdJWT, status) }
            require(again.checks.map(\.description) == verification.checks.map(\.description), "a verdict changes")
            let isGenuine = changed == Array(scene.genuine.utf8) && status == .good
            require(!isGenuine || verification.verified != nil, "the scene's own presentation does not verify")
            guard let verified = verification.verified else { return }
            require(verified["status"] == nil || status == .good, "a credential that is not valid is verified")
            require(verified.keyBinding != nil, "a credential without key binding is verified")
            for path in verified.payload.disclosedClaims {
                require(try verified.values(at: path).count == 1, "a disclosed claim is there")
            }
            guard edit == .afterSigning else { return }
            require(verified.claims == scene.claims, "claims that nobody signed are verified")
        },
        FuzzTarget(name: "sd-jwt-type-metadata-use") { bytes in
            let scene = SDJWTFuzzScene.shared
            var script = FuzzScript(bytes)
            var documents = SDJWTFuzzScene.types
            let place = Int(script.byte()) % documents.count
            let changed = documents[place].edited(by: &script).encoded()
            if place > 0, script.byte().isMultiple(of: 2), case .object(var object) = documents[place - 1] {
                object["extends#integrity"] = .string("sha256-" + base64(HashAlgorithm.sha256.digest(of: changed)))
                documents[place - 1] = .object(object)
            }
            var sources = Dictionary(
                uniqueKeysWithValues: zip(
                    SDJWTFuzzScene.typeNames.map { ExactText($0) },
                    documents.map { $0.encoded() }
                )
            )
            sources[ExactText(SDJWTFuzzScene.typeNames[place])] = changed
            let source = LocalTypeMetadata(sources)
            let metadata = try InlineTask.run { try await TypeMetadata.load(SDJWTFuzzScene.typeNames[0], from: source) }
            require(metadata.documents.count <= TypeMetadata.defaultMaximumDepth, "the chain of types is bounded")
            require(metadata.types.first == SDJWTFuzzScene.typeNames[0], "the chain begins with the type")
            let payload = scene.payload
            _ = metadata.display(for: ["de-CH", "en", "*", ""])
            for claim in try metadata.displayedClaims(of: payload, for: ["de", "en"]) {
                require(
                    try payload.values(at: claim.path).count >= claim.values.count,
                    "a value is shown that is not there"
                )
            }
            try metadata.validate(payload, expectsAllDisclosures: script.byte().isMultiple(of: 2))
        },
    ]

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// An SD-JWT VC with nested claims, bound to its holder's key, and the keys and documents for its verification.
private struct SDJWTFuzzScene: Sendable {
    static let shared: SDJWTFuzzScene = {
        do { return try InlineTask.run { try await SDJWTFuzzScene() } } catch { fatalError("\(error)") }
    }()

    /// The place of a change in an SD-JWT, and the parties that sign again.
    enum Edit: CaseIterable {
        /// Anything, without a new signature.
        case afterSigning
        /// The issuer's payload or header; issuer and holder sign again.
        case payload
        /// A Disclosure, whose digest goes into the payload; issuer and holder sign again.
        case disclosure
        /// The key binding; the holder signs again.
        case keyBinding
    }

    static let typeNames = ["https://a.example/type", "https://a.example/base", "https://a.example/root"]
    static let types: [JSONValue] = [
        [
            "vct": "https://a.example/type", "extends": "https://a.example/base", "name": "type",
            "claims": [
                [
                    "path": ["given_name"], "mandatory": true, "sd": "always",
                    "display": [["locale": "en", "label": "Name"]],
                ],
                ["path": ["addresses", nil, "city"], "svg_id": "city"],
            ],
        ],
        [
            "vct": "https://a.example/base", "extends": "https://a.example/root",
            "display": [
                ["locale": "de-CH", "name": "Typ", "rendering": ["simple": ["background_color": "#123456"]]],
                ["locale": "en", "name": "Type"],
            ],
            "claims": [["path": ["age"], "sd": "allowed"], ["path": ["addresses", 0], "sd": "allowed"]],
        ],
        [
            "vct": "https://a.example/root",
            "claims": [["path": ["address"], "display": [["locale": "en", "label": "A"]]]],
        ],
    ]

    let claims: JSONObject
    let payload: SDJWTPayload
    private let issuerKey: PrivateKey
    private let holderKey: PrivateKey
    let genuine: String
    private let parts: [Substring]

    private init() async throws {
        issuerKey = try FuzzKeys.key(60)
        holderKey = try FuzzKeys.key(61)
        let (issuer, holder) = (try SoftwareSigner(issuerKey), try SoftwareSigner(holderKey))
        var builder = SDJWTBuilder(
            credentialType: Self.typeNames[0],
            claims: [
                "iss": "https://issuer.example", "iat": 1_799_999_000, "exp": 1_800_100_000, "given_name": "Erika",
                "age": 42, "address": ["city": "Bern", "lines": ["a", "b"]],
                "addresses": [["city": "C"], ["city": "D"]],
                "status": ["status_list": ["idx": 3, "uri": "https://a.example/1"]],
            ]
        )
        for path: ClaimPath in [
            ["address", "city"], ["address"], ["given_name"], ["age"], ["addresses", 0], ["addresses", 1, "city"],
        ] {
            try builder.conceal(path)
        }
        try builder.addDecoys(2)
        builder.holderKey = try JWK(holder.publicKey)
        let binding = KeyBinding(audience: "https://verifier.example", nonce: "n", issuedAt: FuzzKeys.time)
        let issued = try await builder.sign(with: issuer).bound(by: holder, binding)
        genuine = try issued.compactSerialization()
        parts = genuine.split(separator: "~", omittingEmptySubsequences: false)
        payload = try issued.unverifiedPayload()
        claims = payload.claims
    }

    /// The verification with every optional demand.
    func verify(_ sdJWT: SDJWT, _ status: CredentialStatus) async -> Verification<VerifiedSDJWT> {
        let names = Self.typeNames.map { ExactText($0) }
        let documents = Dictionary(uniqueKeysWithValues: zip(names, Self.types.map { $0.encoded() }))
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(issuerKey.publicKey),
            typeMetadata: .whenAvailable(LocalTypeMetadata(documents)),
            statusChecker: SDJWTStatusChecker { _, _ in StatusFinding(status) },
            clock: { FuzzKeys.time }
        )
        let expectation = KeyBindingExpectation(audience: "https://verifier.example", nonce: "n")
        return await verifier.verify(sdJWT, expecting: .keyBinding(expectation))
    }

    /// The presentation, changed as the script says.
    func text(_ edit: Edit, by script: inout FuzzScript) -> [UInt8] {
        var parts = parts.map(String.init)
        let last = parts.count - 1
        switch edit {
        case .afterSigning:
            return Array(genuine.utf8).changed(by: &script)
        case .payload:
            parts[0] = signed(parts[0], by: issuerKey, &script)
        case .disclosure:
            let place = 1 + Int(script.byte()) % max(1, last - 1)
            guard let value = try? JSONValue(parsing: Base64URL.decode(Array(parts[place].utf8))) else { return [] }
            let changed = Base64URL.encode(value.edited(by: &script).encoded())
            let (old, new) = (digest(parts[place]), digest(changed))
            parts[place] = changed
            // A digest may be in the payload or in another Disclosure, whose own digest then changes.
            let payload = String(
                decoding: (try? Base64URL.decode(Array(parts[0].split(separator: ".")[1].utf8))) ?? [],
                as: UTF8.self
            )
            let replaced = payload.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
            parts[0] = signed(String(parts[0].split(separator: ".")[0]), Array(replaced.utf8), by: issuerKey)
        case .keyBinding: break
        }
        let presented = parts.dropLast().map { $0 + "~" }.joined()
        parts[last] = bound(parts[last], over: presented, edit, &script)
        return Array(parts.joined(separator: "~").utf8)
    }

    private func digest(_ text: String) -> String {
        Base64URL.encode(HashAlgorithm.sha256.digest(of: Array(text.utf8)))
    }

    /// The key binding with the digest of the presentation, with the script's changes.
    private func bound(_ jwt: String, over presented: String, _ edit: Edit, _ script: inout FuzzScript) -> String {
        let segments = jwt.split(separator: ".").map { (try? Base64URL.decode(Array($0.utf8))) ?? [] }
        guard segments.count == 3, case .object(var claims)? = try? JSONValue(parsing: segments[1]) else { return jwt }
        claims["sd_hash"] = .string(digest(presented))
        let text = Base64URL.encode(segments[0])
        guard edit == .keyBinding else { return signed(text, JSONValue.object(claims).encoded(), by: holderKey) }
        return signed(text + "." + Base64URL.encode(JSONValue.object(claims).encoded()), by: holderKey, &script)
    }

    /// A JWT with a new signature, after the script changed its header or payload.
    private func signed(_ jwt: String, by key: PrivateKey, _ script: inout FuzzScript) -> String {
        let segments = jwt.split(separator: ".").map { (try? Base64URL.decode(Array($0.utf8))) ?? [] }
        guard segments.count >= 2, let header = try? JSONValue(parsing: segments[0]),
            let payload = try? JSONValue(parsing: segments[1])
        else { return jwt }
        let isHeader = script.byte() % 4 == 0
        let changedHeader = isHeader ? header.edited(by: &script) : header
        return signed(
            Base64URL.encode(changedHeader.encoded()),
            isHeader ? segments[1] : payload.edited(by: &script).encoded(),
            by: key
        )
    }

    private func signed(_ header: String, _ payload: [UInt8], by key: PrivateKey) -> String {
        let input = header + "." + Base64URL.encode(payload)
        let signature = (try? key.signature(for: Array(input.utf8), algorithm: .ecdsaSHA256)) ?? []
        return input + "." + Base64URL.encode(signature)
    }
}

extension CredentialStatus {
    /// A valid one.
    static let good = CredentialStatus.valid(asOf: FuzzKeys.time)
}
