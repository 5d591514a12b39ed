import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import SDJWTWallet
import Testing

/// A wallet's store of SD-JWT VCs: what it takes, offers, and reads again.
@Suite struct SDJWTCredentialStoreTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)
    private static let type = "urn:example:pid"

    private let issuer: SoftwareSigner
    private let verifier: SDJWTVerifier

    init() throws {
        issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            clock: { Self.now }
        )
    }

    /// A credential, verified for the store.
    private func credential(
        for key: PublicKey?,
        _ more: JSONObject = [:]
    ) async throws -> VerifiedSDJWT {
        var claims = more
        claims["given_name"] = "Erika"
        var builder = SDJWTBuilder(credentialType: Self.type, claims: claims)
        try builder.conceal(["given_name"])
        builder.holderKey = try key.map { try JWK($0) }
        return try await verifier.verifyForStorage(try await builder.sign(with: issuer), holderKey: key).get()
    }

    /// A copy for a key of its own, whose handle is the private key.
    private func copy(_ more: JSONObject = [:]) async throws -> NewSDJWTCopy {
        let key = try PrivateKey.generate(.p256)
        let credential = try await credential(for: key.publicKey, more)
        return try NewSDJWTCopy(credential, keyHandle: key.pkcs8)
    }

    private func expect(
        _ code: SDJWTError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> NewSDJWTCopy
    ) {
        let error = #expect(throws: SDJWTError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }

    @Test func presentsEachCopyOnceWithItsKey() async throws {
        let store = SDJWTCredentialStore(InMemoryCredentialStorage())
        let added = try await store.add([try await copy(), try await copy()], rotation: .once, at: Self.now)
        #expect(added.credentialType == Self.type)
        var texts: Set<String> = []
        for _ in 0..<2 {
            let offer = try await store.copiesToPresent(ofTypes: [Self.type], at: Self.now)
            let copy = try #require(offer.copies.first)
            let handle = try #require(try await store.claim([copy.id], at: Self.now)[copy.id])
            let binding = KeyBinding(audience: "https://verifier.example", nonce: "n", issuedAt: Self.now)
            let presentation = try await copy.sdJWT.presentation(disclosing: [["given_name"]])
                .bound(by: try SoftwareSigner(try PrivateKey(pkcs8: handle)), binding)
            let expectation = KeyBindingExpectation(audience: "https://verifier.example", nonce: "n")
            let verification = await verifier.verify(presentation, expecting: .keyBinding(expectation))
            #expect(verification.verified?["given_name"] == "Erika", "\(verification)")
            texts.insert(try copy.sdJWT.compactSerialization())
        }
        #expect(texts.count == 2)
        let offer = try await store.copiesToPresent(at: Self.now)
        #expect(offer.copies.isEmpty)
        #expect(offer.exhausted.map(\.id) == [added.id])
    }

    /// A holder may treat a credential as one of any of its types (SD-JWT VC, `aka_vcts`).
    @Test func findsACredentialByItsFurtherTypes() async throws {
        let storage = InMemoryCredentialStorage()
        let further = "urn:example:person"
        let copy = try await copy(["aka_vcts": [.string(further), "urn:example:adult"]])
        let added = try await SDJWTCredentialStore(storage).add([copy], rotation: .once, at: Self.now)
        #expect(added.credentialType == Self.type)
        #expect(added.furtherTypes == [further, "urn:example:adult"])
        let store = SDJWTCredentialStore(storage)
        for types in [[Self.type], [further], ["urn:example:other", "urn:example:adult"]] {
            #expect(try await store.copiesToPresent(ofTypes: types, at: Self.now).copies.count == 1, "\(types)")
        }
        #expect(try await store.copiesToPresent(ofTypes: ["urn:example:other"], at: Self.now).copies.isEmpty)
        _ = try await store.claim(["\(added.id)/1"], at: Self.now)
        #expect(try await store.copiesToPresent(ofTypes: [further], at: Self.now).exhausted.map(\.id) == [added.id])
    }

    @Test func takesTheValidityFromTheClaims() async throws {
        let store = SDJWTCredentialStore(InMemoryCredentialStorage())
        let now = Int(Self.now.timeIntervalSince1970)
        let limited = try await copy(["nbf": .integer(now - 60), "exp": .integer(now + 60)])
        let added = try await store.add([limited], rotation: .untilExpiry, at: Self.now)
        #expect(added.validity == Self.now - 60...Self.now + 60)
        #expect(try await store.copiesToPresent(at: Self.now + 61).copies.isEmpty)
        #expect(try await store.copiesToPresent(at: Self.now - 61).copies.isEmpty)
        let unlimited = try await store.add([try await copy()], rotation: .untilExpiry, at: Self.now)
        #expect(unlimited.validity == Date.distantPast...Date.distantFuture)
        #expect(try await store.credential(unlimited.id) == unlimited)
        #expect(try await store.copiesToPresent(at: Self.now + 61).copies.count == 1)
    }

    @Test func keepsTheReceivedText() async throws {
        let key = try PrivateKey.generate(.p256)
        let verified = try await credential(for: key.publicKey)
        let store = SDJWTCredentialStore(InMemoryCredentialStorage())
        let copy = try NewSDJWTCopy(verified, keyHandle: key.pkcs8)
        let added = try await store.add([copy], rotation: .once, at: Self.now)
        let stored = try #require(try await store.copyToShow(of: added.id))
        #expect(try stored.sdJWT.compactSerialization() == verified.sdJWT.compactSerialization())
        #expect(try stored.sdJWT.unverifiedPayload().claims["given_name"] == "Erika")
    }

    @Test func takesACredentialWithoutAKeyAsSuch() async throws {
        let free = try await credential(for: nil)
        let store = SDJWTCredentialStore(InMemoryCredentialStorage())
        let added = try await store.add([try NewSDJWTCopy(unbound: free)], rotation: .untilExpiry, at: Self.now)
        #expect(try await store.claim(["\(added.id)/1"], at: Self.now).values.map(\.count) == [0])
        let key = try PrivateKey.generate(.p256)
        expect(.missingHolderKey) { try NewSDJWTCopy(free, keyHandle: key.pkcs8) }
    }

    /// A `cnf` alone does not say whose key it is: the verification for the wallet's key does.
    @Test func refusesACredentialThatWasNotVerifiedForAKey() async throws {
        let own = try PrivateKey.generate(.p256)
        let bound = try await credential(for: own.publicKey)
        expect(.claimMismatch) { try NewSDJWTCopy(unbound: bound) }
        let unchecked = try await verifier.verifyForStorage(bound.sdJWT).get()
        expect(.missingHolderKey) { try NewSDJWTCopy(unchecked, keyHandle: own.pkcs8) }
        let thumbprint = Base64URL.encode(try JWK(own.publicKey).thumbprint())
        let named = try await credential(for: nil, ["cnf": ["jkt": .string(thumbprint)]])
        expect(.missingHolderKey) { try NewSDJWTCopy(named, keyHandle: own.pkcs8) }
        let compared = try await verifier.verifyForStorage(named.sdJWT, holderKey: own.publicKey).get()
        #expect(throws: Never.self) { try NewSDJWTCopy(compared, keyHandle: own.pkcs8) }
    }

    @Test func refusesAPresentation() async throws {
        let key = try PrivateKey.generate(.p256)
        let binding = KeyBinding(audience: "https://verifier.example", nonce: "n", issuedAt: Self.now)
        let presentation = try await credential(for: key.publicKey).sdJWT.presentation(disclosing: [])
            .bound(by: try SoftwareSigner(key), binding)
        let expectation = KeyBindingExpectation(audience: "https://verifier.example", nonce: "n")
        let verified = try await verifier.verify(presentation, expecting: .keyBinding(expectation)).get()
        expect(.unexpectedKeyBinding) { try NewSDJWTCopy(verified, keyHandle: key.pkcs8) }
    }

    /// The limits of a store hold for what is added, and for what others added.
    @Test func refusesACopyBeyondItsLimits() async throws {
        var limits = SDJWTLimits.default
        limits.size = 64
        let storage = InMemoryCredentialStorage()
        let store = SDJWTCredentialStore(storage, limits: limits)
        let large = try await copy()
        let error = await #expect(throws: CredentialStoreError.self) {
            try await store.add([large], rotation: .once, at: Self.now)
        }
        #expect(error?.code == .unreadableCopy)
        #expect((error?.cause as? SDJWTError)?.code == .limitExceeded)
        let added = try await SDJWTCredentialStore(storage).add([large], rotation: .once, at: Self.now)
        #expect(try await store.copiesToPresent(at: Self.now).unreadable.map(\.id) == ["\(added.id)/1"])
    }
}
