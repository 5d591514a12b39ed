import CryptoCore
import Foundation
import MdocKit
import MdocWallet
import Testing

/// A wallet's store of mdocs: what it matches, presents and refuses.
@Suite struct MdocCredentialStoreTests {
    private static let now = WalletScene.now

    /// Expects an error of the store with a code.
    private func expect(
        _ code: CredentialStoreError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: CredentialStoreError.self, sourceLocation: sourceLocation) {
            try await body()
        }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    private func emptyStore() -> MdocCredentialStore { MdocCredentialStore(InMemoryCredentialStorage()) }

    @Test func presentsEachCopyOnce() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        let added = try await store.add(try await scene.copies(3, update: 10), rotation: .once, at: Self.now)
        #expect(added.docType == .mDL)
        #expect(added.validity == Self.now - WalletScene.day...Self.now + 30 * WalletScene.day)
        #expect(added.isUpdateDue(at: Self.now + 10 * WalletScene.day))
        var keys: Set<Data> = []
        for _ in 0..<3 {
            let response = try #require(try await scene.present(from: store))
            let verification = await scene.verifier.verify(response, sessionTranscript: scene.transcript)
            let document = try #require(try verification.get().first)
            keys.insert(Data(document.deviceKey.subjectPublicKeyInfo))
        }
        #expect(keys.count == 3)
        #expect(try await scene.present(from: store) == nil)
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.obstacle == .noCredential)
        #expect(try await store.copiesToPresent(at: Self.now).exhausted.map(\.id) == [added.id])
    }

    @Test func tellsThatACredentialHasExpired() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        try await store.add(try await scene.copies(1, days: 1), rotation: .untilExpiry, at: Self.now)
        let match = try await store.match(try scene.request(), at: Self.now + 2 * WalletScene.day)
        #expect(match.docRequests.first?.obstacle == .outsideValidity)
    }

    @Test func offersMdocsForOtherQueries() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        let licence = try await store.add(try await scene.copies(2), rotation: .once, at: Self.now)
        try await store.add(try await scene.copies(1, of: "other"), rotation: .once, at: Self.now + 1)
        let offer = try await store.copiesToPresent(ofTypes: [DocType.mDL.text], at: Self.now)
        #expect(offer.copies.map(\.id) == ["\(licence.id)/1"])
        #expect(offer.copies.map(\.docType) == [.mDL])
        #expect(try await store.copyToShow(of: licence.id)?.docType == .mDL)
    }

    /// A key that agrees, for MACs, is known as such after a restart.
    @Test func keepsTheUseOfTheDeviceKey() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        let key = try PrivateKey.generate(.p256)
        let verified = try scene.verifier.verifyForStorage(try await scene.licence(for: key)).get()
        let copy = try NewMdocCopy(verified, deviceKey: key.publicKey, deviceKeyUsage: .mac, keyHandle: key.pkcs8)
        try await store.add([copy], rotation: .once, at: Self.now)
        #expect(try await store.copiesToPresent(at: Self.now).copies.map(\.deviceKeyUsage) == [.mac])
        #expect(try await store.credentials().first?.copies.map(\.keyUsage) == [.agreement])
    }

    @Test func countsAUseOfOneMatchOnce() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        let copies = try await scene.copies(1)
        try await store.add(copies, rotation: .once, at: Self.now)
        let match = try await store.match(try scene.request(), at: Self.now)
        let decision = match.fullConsent()
        #expect(try await store.claim(decision, at: Self.now).map(\.value) == copies.map(\.keyHandle))
        await expect(.spentCopy) { _ = try await store.claim(decision, at: Self.now) }
        #expect(try await store.claim(.declined, at: Self.now).isEmpty)
        await expect(.outsideValidity) {
            _ = try await store.claim(decision, at: Self.now + 31 * WalletScene.day)
        }
        let error = await #expect(throws: MdocError.self) {
            _ = try await store.response(
                to: match,
                decision: decision,
                sessionTranscript: scene.transcript,
                at: Self.now
            ) { _, handle in .signer(try SoftwareSigner(try WalletScene.key(handle))) }
        }
        #expect(error?.code == .spentCopy)
    }

    @Test func countsNothingForADecisionThatTheRequestForbids() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        let added = try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        let match = try await store.match(try scene.request(), at: Self.now)
        let credential = try #require(match.fullConsent().entries.first?.credential)
        let elements: Set<DataElementReference> = [DataElementReference(.mDL, "given_name")]
        let entry = ConsentDecision.Entry(docRequest: 0, credential: credential, elements: elements)
        let error = await #expect(throws: MdocError.self) {
            _ = try await store.response(
                to: match,
                decision: ConsentDecision([entry]),
                sessionTranscript: scene.transcript,
                at: Self.now
            ) { _, handle in .signer(try SoftwareSigner(try WalletScene.key(handle))) }
        }
        #expect(error?.code == .invalidValue)
        #expect(try await store.credential(added.id)?.copies.map(\.uses) == [0])
    }

    @Test func declinesWhatTheReaderRetains() async throws {
        let (store, scene) = (emptyStore(), try await WalletScene())
        try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        let items = try ItemsRequest(
            docType: .mDL,
            nameSpaces: [.mDL: ["family_name": true, "given_name": false]]
        )
        let request = try DeviceRequest(docRequests: [DocRequest(items)])
        for (policy, disclosed) in [
            (RetentionPolicy.acceptingAll, ["family_name", "given_name"]), (.decliningAll, ["given_name"]),
        ] {
            let match = try await store.match(request, at: Self.now, retention: policy)
            let elements = match.docRequests.first?.candidates.first?.disclosed.map(\.identifier.text)
            #expect(elements == disclosed)
        }
        let match = try await store.match(request, at: Self.now)
        #expect(match.docRequests.first?.candidates.first?.disclosed.count == 2)
    }

    @Test func refusesACopyThatIsBoundToAnotherKey() async throws {
        let scene = try await WalletScene()
        let verified = try scene.verifier.verifyForStorage(try await scene.licence(for: .generate(.p256))).get()
        let error = #expect(throws: MdocError.self) {
            try NewMdocCopy(verified, deviceKey: PrivateKey.generate(.p256).publicKey, keyHandle: SecretBytes([1]))
        }
        #expect(error?.code == .keyMismatch)
    }

    // MARK: Deviations

    /// A copy with a deviation that strict reading refuses: a signature with its tag.
    private func deviatingCopy(_ scene: WalletScene) async throws -> NewMdocCopy {
        let key = try PrivateKey.generate(.p256)
        var bytes = [UInt8](try await scene.licence(for: key).encodedBytes)
        let member = try #require(bytes.firstRange(of: Array("issuerAuth".utf8)))
        bytes.insert(0xd2, at: member.upperBound)
        let verified = try scene.verifier.verifyForStorage(IssuerSigned(decoding: bytes, options: .deployed)).get()
        return try NewMdocCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8)
    }

    @Test func refusesADeviationThatItsOptionsDoNotTake() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryCredentialStorage()
        let store = MdocCredentialStore(storage)
        let copy = try await deviatingCopy(scene)
        await expect(.unreadableCopy) { try await store.add([copy], rotation: .once, at: Self.now) }
        let tolerant = MdocCredentialStore(storage, options: .deployed)
        let deviating = try await tolerant.add([copy], rotation: .once, at: Self.now)
        #expect(try await tolerant.copyToShow(of: deviating.id)?.issuerSigned.deviations.count == 1)
        // A strict store of the same storage lists it, and has the others.
        let alone = try await store.match(try scene.request(), at: Self.now)
        #expect(alone.docRequests.first?.obstacle == .noCredential)
        #expect(alone.unreadableCredentials.map(\.id) == ["\(deviating.id)/1"])
        #expect(alone.unreadableCredentials.map(\.error.code) == [.deviation])
        let other = try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.candidates.map(\.credential.id) == ["\(other.id)/1"])
        let tolerated = try await tolerant.match(try scene.request(), at: Self.now)
        #expect(tolerated.docRequests.first?.candidates.count == 2)
        #expect(tolerated.unreadableCredentials.isEmpty)
    }

    @Test func listsADamagedCopyAndOffersAnother() async throws {
        let scene = try await WalletScene()
        let storage = InMemoryCredentialStorage()
        let store = MdocCredentialStore(storage)
        let added = try await store.add(try await scene.copies(2), rotation: .once, at: Self.now)
        let first = try #require(await storage.entries(in: store.format.copies).first)
        try await storage.write([.replace(first.place, SecretBytes([9]), version: first.version)])
        let match = try await store.match(try scene.request(), at: Self.now)
        #expect(match.docRequests.first?.candidates.map(\.credential.id) == ["\(added.id)/2"])
        #expect(match.unreadableCredentials.map(\.id) == ["\(added.id)/1"])
        #expect(match.unreadableCredentials.map(\.error.code) == [.storageDamaged])
    }
}
