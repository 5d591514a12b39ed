import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import TestSupport

extension FuzzTarget {
    /// The verification of JWS and JWT, and the decryption of JWE for several recipients.
    package static let joseVerification = [
        FuzzTarget(name: "jws-verification") { bytes in
            let scene = JOSEFuzzScene.shared
            var script = FuzzScript(bytes)
            let rule = script.choice(of: [SignatureRule.any, .all, .signature(at: 1)])
            let message = try JWS(json: scene.changed(scene.jws, by: &script))
            let policy: JWSVerificationPolicy = [.es256, .hs256, .edDSA]
            let verification = message.verify(policy: policy, requiring: rule, at: FuzzKeys.time) {
                signature throws(JOSEError) in try scene.key(for: signature)
            }
            require(verification.parts.count == message.signatures.count, "every signature has its result")
            for part in verification.parts {
                guard let verified = part.verification(as: VerifiedJWS.self)?.verified else { continue }
                require(verified.payload == JOSEFuzzScene.payload, "a payload that nobody signed is verified")
            }
            let payload = try verification.get().payload
            require(payload == JOSEFuzzScene.payload, "a payload that nobody signed is verified")
        },
        FuzzTarget(name: "jwe-decryption") { bytes in
            let scene = JOSEFuzzScene.shared
            var script = FuzzScript(bytes)
            let changed = scene.changed(script.byte().isMultiple(of: 2) ? scene.jwe : scene.direct, by: &script)
            let message = try JWE(json: changed)
            let policy = JWEDecryptionPolicy(
                algorithms: [.ecdhES, .ecdhES_A128KW, .a256KW, .a256GCMKW, .pbes2HS256_A128KW, .dir],
                encryptions: [.a256GCM, .a128CBC_HS256],
                maximumInflatedSize: 10_000,
                maximumPasswordIterations: 2000
            )
            for key in scene.decryptionKeys {
                let opened = InlineResult { [try await message.decrypt(with: key, policy: policy).plaintext] }
                let again = InlineResult { [try await message.decrypt(with: key, policy: policy).plaintext] }
                require(opened == again, "a verdict changes")
                for plaintext in opened.payloads {
                    require(plaintext == JOSEFuzzScene.payload, "a plaintext that nobody encrypted is opened")
                }
            }
        },
        FuzzTarget(name: "jwt-verification") { bytes in
            let scene = JOSEFuzzScene.shared
            var script = FuzzScript(bytes)
            var policy = JWTClaimsPolicy(
                issuers: ["https://issuer.example"],
                audience: script.byte().isMultiple(of: 2) ? .named("a") : .absent,
                nonce: script.byte().isMultiple(of: 2) ? "n" : nil,
                maximumAge: 600,
                clockSkew: TimeInterval(script.byte())
            )
            if script.byte() % 4 == 0 { policy.type = .any }
            let isHeader = script.byte() % 4 == 0
            let (header, claims) = (scene.tokenHeader, scene.tokenClaims)
            let changedHeader = isHeader ? header.edited(by: &script) : header
            let changedClaims = claims.edited(by: &script)
            let input = Base64URL.encode(changedHeader.encoded()) + "." + Base64URL.encode(changedClaims.encoded())
            let signature = try scene.signingKey.signature(for: Array(input.utf8), algorithm: .ecdsaSHA256)
            let token = try JWT(compact: input + "." + Base64URL.encode(signature))
            let verified = try token.verify(
                with: scene.signingKey.publicKey,
                policy: [.es256],
                claims: policy,
                at: FuzzKeys.time
            ).get()
            require(try verified.claims.issuer() == "https://issuer.example", "a token of another issuer is verified")
            if let nonce = policy.nonce {
                require(verified.claims["nonce"] == .string(nonce.text), "a token with another nonce is verified")
            }
        },
    ]
}

/// A JWS with three signatures, JWE for several recipients, and the recipients' keys.
private struct JOSEFuzzScene: Sendable {
    static let shared: JOSEFuzzScene = {
        do { return try InlineTask.run { try await JOSEFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let payload: [UInt8] = Array("the payload".utf8)

    let signingKey: PrivateKey
    let jws: JSONValue
    let jwe: JSONValue
    let direct: JSONValue
    let decryptionKeys: [JWEKey]
    let tokenHeader: JSONValue = ["alg": "ES256", "typ": "JWT", "kid": "1"]
    let tokenClaims: JSONValue = [
        "iss": "https://issuer.example", "aud": ["a", "b"], "nonce": "n", "sub": "s", "jti": "j",
        "iat": 1_799_999_990, "nbf": 1_799_999_990, "exp": 1_800_000_100, "cnf": ["kid": "k"],
    ]
    private let edKey: PrivateKey
    private let secret = SecretBytes([UInt8](repeating: 7, count: 32))

    init() async throws {
        signingKey = try FuzzKeys.key(40)
        edKey = try FuzzKeys.key(41, .ed25519)
        let agreementKey = try FuzzKeys.key(42)
        let signer = try SoftwareSigner(signingKey)
        let message = try await JWS.sign(
            Self.payload,
            header: ["kid": "1", "crit": ["b64"], "b64": true],
            unprotectedHeader: ["note": "n"],
            with: signer
        )
        .addingSignature(header: ["kid": "2"], with: SoftwareSigner(edKey))
        .addingSignature(header: ["kid": "1"], with: signer)
        jws = try JSONValue(parsing: message.generalSerialization())
        let password = SecretBytes(Array("password".utf8))
        let random = FuzzKeys.randomness(43)
        let recipients = [
            try JWEEncryptionKey.publicKey(agreementKey.publicKey, .ecdhES_A128KW, keyID: "1"),
            try JWEEncryptionKey.symmetric(secret, .a256KW, keyID: "2"),
            try JWEEncryptionKey.symmetric(secret, .a256GCMKW, keyID: "3"),
            try JWEEncryptionKey.password(password, .pbes2HS256_A128KW, iterations: 1000, keyID: "4"),
        ]
        jwe = try JSONValue(
            parsing: JWE.encrypt(
                Self.payload,
                toEach: recipients,
                with: .a128CBC_HS256,
                header: ["zip": "DEF"],
                additionalData: [1, 2],
                using: random
            ).generalSerialization()
        )
        direct = try JSONValue(
            parsing: JWE.encrypt(
                Self.payload,
                to: .publicKey(agreementKey.publicKey, .ecdhES, keyID: "1", partyUInfo: [1], partyVInfo: [2]),
                with: .a256GCM,
                header: ["typ": "t"],
                using: random
            ).generalSerialization()
        )
        decryptionKeys = [.privateKey(agreementKey), .symmetric(secret), .password(password)]
    }

    /// The key that a signature names; a script may change the name.
    func key(for signature: JWSSignature) throws(JOSEError) -> JWSKey? {
        switch try signature.header.keyID() {
        case "1": .publicKey(signingKey.publicKey)
        case "2": .publicKey(edKey.publicKey)
        case "3": .symmetric(secret)
        default: nil
        }
    }

    /// A message in JSON changed by a script, also within its encoded texts.
    func changed(_ message: JSONValue, by script: inout FuzzScript) -> [UInt8] {
        guard script.byte() % 2 == 0, let text = message["protected"]?.stringValue ?? firstProtected(message),
            let header = try? JSONValue(parsing: Base64URL.decode(Array(text.utf8)))
        else { return message.edited(by: &script).encoded() }
        let changed = Base64URL.encode(header.edited(by: &script).encoded())
        let encoded = String(decoding: message.encoded(), as: UTF8.self)
        return Array(encoded.split(separator: text, omittingEmptySubsequences: false).joined(separator: changed).utf8)
    }

    private func firstProtected(_ message: JSONValue) -> String? {
        message["signatures"]?[0]?["protected"]?.stringValue
    }
}
