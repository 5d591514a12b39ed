import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport

extension FuzzTarget {
    /// The verification of COSE messages: signatures, MACs and encryption for several recipients, and tokens.
    package static let coseVerification = [
        FuzzTarget(name: "cose-verification") { bytes in
            let scene = COSEFuzzScene.shared
            var script = FuzzScript(bytes)
            let index = Int(script.byte()) % scene.messages.count
            let changed = try CBOR(decoding: scene.messages[index]).edited(by: &script).encoded()
            let message = try COSETaggedMessage(decoding: changed)
            let opened = InlineResult { try await scene.open(message) }
            require(opened == InlineResult { try await scene.open(message) }, "a verdict changes")
            require(
                changed != scene.messages[index] || !opened.payloads.isEmpty,
                "the scene's own message does not open"
            )
            for payload in opened.payloads {
                require(payload == COSEFuzzScene.payload, "a payload that nobody authenticated is verified")
            }
        },
        FuzzTarget(name: "cwt-verification") { bytes in
            let scene = COSEFuzzScene.shared
            var script = FuzzScript(bytes)
            let isSignedAgain = script.byte().isMultiple(of: 2)
            guard case .tagged(let tag, let token) = try CBOR(decoding: scene.token) else { return }
            let edited = token.edited(by: &script)
            let signed = isSignedAgain ? FuzzKeys.signedAgain(edited, by: scene.signingKey) : edited
            let cwt = try CWT(decoding: CBOR.tagged(tag, signed).encoded())
            let claims = CWTClaimsPolicy(
                issuers: ["i"],
                audience: .named("a"),
                requiredClaims: [.claimExpirationTime],
                maximumAge: 600
            )
            let verification = try InlineTask.run {
                await cwt.verify(policy: [.es256], claims: claims, at: FuzzKeys.time) { _ throws(COSEError) in
                    .signature(scene.signingKey.publicKey)
                }
            }
            let verified = try verification.get()
            require(verified.claims[.claimIssuer] == "i", "a token of another issuer is verified")
            require(isSignedAgain || signed[at: 2] == token[at: 2], "claims that nobody signed are verified")
        },
    ]
}

/// The payloads that an asynchronous function returns, or none if it throws.
struct InlineResult: Equatable {
    let payloads: [[UInt8]]

    init(_ function: @escaping @Sendable () async throws -> [[UInt8]]) {
        payloads = (try? InlineTask.run(function)) ?? []
    }
}

/// Messages of every kind with the same payload, and the recipients' keys.
private struct COSEFuzzScene: Sendable {
    static let shared: COSEFuzzScene = {
        do { return try InlineTask.run { try await COSEFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let payload: [UInt8] = Array("the payload".utf8)

    let signingKey: PrivateKey
    let agreementKey: PrivateKey
    let secret = SecretBytes([UInt8](repeating: 7, count: 32))
    let messages: [[UInt8]]
    let token: [UInt8]
    private let policy: COSEPolicy = [
        .es256, .edDSA, .hmac256_256, .a128GCM, .a256KW, .ecdhESA128KW, .ecdhESHKDF256, .direct, .directHKDFSHA256,
    ]

    private init() async throws {
        signingKey = try FuzzKeys.key(30)
        agreementKey = try FuzzKeys.key(31)
        let signer = try SoftwareSigner(signingKey)
        let edSigner = try SoftwareSigner(FuzzKeys.key(32, .ed25519))
        let random = FuzzKeys.randomness(33)
        let mac = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.hmac256_256.rawValue)])
        let encryption = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)])
        let recipients: [COSEKeyDistribution] = [
            .keyWrap(.a256KW, with: secret), .keyAgreement(.ecdhESA128KW, with: agreementKey.publicKey),
            .keyWrap(.a256KW, through: [.keyAgreement(.ecdhESHKDF256, with: agreementKey.publicKey)]),
        ]
        let payload = Self.payload
        messages = [
            try await COSESign1.sign(payload, with: signer).encoded(),
            try await COSESign.sign(payload, with: [(COSEHeaders(), signer), (COSEHeaders(), edSigner)]).encoded(),
            try await COSEMac.authenticate(payload, headers: mac, for: recipients, using: random).encoded(),
            try await COSEMac.authenticate(
                payload,
                headers: mac,
                for: [.derived(from: secret, .directHKDFSHA256)],
                using: random
            ).encoded(),
            try await COSEEncrypt.encrypt(payload, headers: encryption, for: recipients, using: random).encoded(),
            try await COSEEncrypt.encrypt(
                payload,
                headers: encryption,
                for: [.keyAgreement(.ecdhESHKDF256, with: agreementKey.publicKey)],
                using: random
            ).encoded(),
        ]
        let now = Int(FuzzKeys.time.timeIntervalSince1970)
        let claims: CWTClaims = [
            .claimIssuer: "i", .claimAudience: "a", .claimIssuedAt: .integer(now - 5),
            .claimExpirationTime: .integer(now + 60), .claimID: .bytes([1]),
        ]
        token = try await COSESign1.sign(claims.encoded(), with: signer).encoded()
    }

    /// The payloads that the keys vouch for.
    func open(_ message: COSETaggedMessage) async throws -> [[UInt8]] {
        let (symmetric, agreement) = (COSERecipientKey.symmetric(secret), COSERecipientKey.keyAgreement(agreementKey))
        switch message {
        case .sign1(let message):
            return [Array(try message.verify(with: signingKey.publicKey, policy: policy).payload)]
        case .sign(let message):
            let key = signingKey.publicKey
            let verification = message.verify(policy: policy, requiring: .any, at: FuzzKeys.time) {
                _ throws(COSEError) in key
            }
            require(verification.parts.count == message.signatures.count, "every signature has its result")
            return [Array(try verification.get().payload)]
        case .mac(let message):
            let one = try? await message.verify(with: symmetric, policy: policy)
            let other = try? await message.verify(with: agreement, policy: policy)
            return [one, other].compactMap { $0.map { Array($0.payload) } }
        case .encrypt(let message):
            let one = try? await message.decrypt(with: symmetric, policy: policy)
            let other = try? await message.decrypt(with: agreement, policy: policy)
            return [one, other].compactMap { $0.map { Array($0.payload) } }
        case .mac0(let message):
            return [Array(try message.verify(with: secret, policy: policy).payload)]
        case .encrypt0(let message):
            return [
                Array(try message.decrypt(with: SecretBytes(Array(repeating: 7, count: 16)), policy: policy).payload)
            ]
        }
    }

    private func require(_ law: Bool, _ message: String) { FuzzTarget.require(law, message) }
}
