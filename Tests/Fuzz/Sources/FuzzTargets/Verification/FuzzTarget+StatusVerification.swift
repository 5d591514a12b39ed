import CBORKit
import COSEKit
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit
import TestSupport

extension FuzzTarget {
    /// The verification of status list tokens, and the status of a credential in them.
    package static let statusVerification = [
        FuzzTarget(name: "status-list-verification") { bytes in
            let scene = StatusFuzzScene.shared
            var script = FuzzScript(bytes)
            let form = script.choice(of: StatusListToken.Form.allCases)
            let isSignedAgain = script.byte().isMultiple(of: 2)
            let index = script.number(below: 70_000)
            let changed =
                form == .jwt ? scene.jwt(isSignedAgain, by: &script) : scene.cwt(isSignedAgain, by: &script)
            let token = try StatusListToken(changed, form: form)
            let key = StatusListKey.publicKey(scene.key.publicKey)
            let list = try token.verify(for: StatusFuzzScene.uri, with: key, policy: scene.policy, at: FuzzKeys.time)
                .get()
            require(list.uri == StatusFuzzScene.uri, "a list of another URI is verified")
            let reference = try StatusReference(index: index, uri: StatusFuzzScene.uri)
            let status = list.status(for: reference, policy: scene.policy, at: FuzzKeys.time).status
            require(status == list.status(at: index), "a list says the same by index and by reference")
            if index >= list.list.count { require(status.isUnknown, "an index beyond the list has a status") }
            if !isSignedAgain { require(list.list == scene.list, "a list that nobody signed is verified") }
            let later = FuzzKeys.time + 86_400 * 400
            require(
                list.status(for: reference, policy: scene.policy, at: later).status.isUnknown,
                "a list never expires"
            )
        }
    ]
}

extension CredentialStatus {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}

/// Status list tokens in both forms, and their signer's key.
private struct StatusFuzzScene: Sendable {
    static let shared: StatusFuzzScene = {
        do { return try InlineTask.run { try await StatusFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let uri = "https://a.example/1"

    let key: PrivateKey
    let list: StatusList
    let policy: StatusListPolicy
    private let jwtHeader: JSONValue
    private let jwtClaims: JSONValue
    private let jwt: [UInt8]
    private let cwt: CBOR

    private init() async throws {
        key = try FuzzKeys.key(50)
        var list = try StatusList(count: 1000, bits: .two)
        for (index, status) in [StatusType.invalid, .suspended, StatusType(rawValue: 3)].enumerated() {
            try list.set(status, at: index * 7)
        }
        self.list = list
        var policy = StatusListPolicy(
            jwtAlgorithms: [.es256],
            cwtAlgorithms: [.es256],
            maximumAge: 86_400 * 300,
            requiresExpirationTime: true
        )
        policy.limits = StatusListLimits(inflatedSize: 10_000)
        self.policy = policy
        let content = try StatusListContent(
            uri: Self.uri,
            list: list,
            issuedAt: FuzzKeys.time - 60,
            expirationTime: FuzzKeys.time + 3600,
            timeToLive: 60
        )
        let signer = try SoftwareSigner(key)
        jwt = try await content.signedJWT(with: signer).encodedBytes
        let parts = String(decoding: jwt, as: UTF8.self).split(separator: ".")
        jwtHeader = try JSONValue(parsing: Base64URL.decode(Array(parts[0].utf8)))
        jwtClaims = try JSONValue(parsing: Base64URL.decode(Array(parts[1].utf8)))
        cwt = try CBOR(decoding: await content.signedCWT(with: signer).encodedBytes)
    }

    /// The token as JWT, changed before a new signature, or after the original one.
    func jwt(_ isSignedAgain: Bool, by script: inout FuzzScript) -> [UInt8] {
        guard isSignedAgain else { return jwt.changed(by: &script) }
        let header = script.byte() % 4 == 0 ? jwtHeader.edited(by: &script) : jwtHeader
        let claims = jwtClaims.edited(by: &script)
        let input = Base64URL.encode(header.encoded()) + "." + Base64URL.encode(claims.encoded())
        let signature = (try? key.signature(for: Array(input.utf8), algorithm: .ecdsaSHA256)) ?? []
        return Array((input + "." + Base64URL.encode(signature)).utf8)
    }

    /// The token as CWT, changed before a new signature, or after the original one.
    func cwt(_ isSignedAgain: Bool, by script: inout FuzzScript) -> [UInt8] {
        guard isSignedAgain, case .tagged(let tag, let content) = cwt else { return cwt.edited(by: &script).encoded() }
        return CBOR.tagged(tag, FuzzKeys.signedAgain(content.edited(by: &script), by: key)).encoded()
    }
}
