import CryptoCore
import Foundation
import MdocKit
import MdocWallet
import MdocWalletContracts
import Testing

/// The laws of a wallet's store, over every storage.
@Suite struct CredentialStoreTests {
    private static let now = WalletScene.now

    private func withStore(
        _ kind: StorageKind,
        _ body: (MdocCredentialStore, WalletScene) async throws -> Void
    ) async throws {
        let scene = try await WalletScene()
        try await kind.withStorage { try await body(MdocCredentialStore($0), scene) }
    }

    @Test(arguments: StorageKind.allCases)
    func keepsWhatWasAdded(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            let display = [
                CredentialDisplay(name: "Licence", locale: "en", issuerName: "Utopia", textColor: "#fff"),
                CredentialDisplay(name: "Führerschein", locale: "de"),
            ]
            let added = try await store.add(
                try await scene.copies(2),
                display: display,
                rotation: .limited(uses: 3),
                refillThreshold: 1,
                at: Self.now
            )
            let second = try await store.add(try await scene.copies(1, of: "other"), at: Self.now + 1)
            #expect(try await store.credentials() == [added, second])
            #expect(try await store.credential(added.id) == added)
            #expect(added.display(in: ["fr", "de"])?.name == "Führerschein")
            #expect(added.copies.map(\.number) == [1, 2])
            #expect(added.validity == Self.now - WalletScene.day...Self.now + 30 * WalletScene.day)
            let document = try #require(try await store.document(of: added.id))
            #expect(document.docType == .mDL)
            for id in ["", "zz", String(added.id.dropLast()), String(repeating: "0", count: 32)] {
                #expect(try await store.credential(id) == nil)
                #expect(try await store.document(of: id) == nil)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func presentsEachCopyOnce(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            let added = try await store.add(
                try await scene.copies(3),
                rotation: .once,
                refillThreshold: 1,
                at: Self.now
            )
            var events = store.events().makeAsyncIterator()
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
            #expect(try await store.credentialsToRefill(at: Self.now).map(\.id) == [added.id])
            var seen: [WalletEvent] = []
            for _ in 0..<5 { seen.append(try #require(await events.next())) }
            #expect(
                seen == [
                    .used(added.id, copy: 1), .used(added.id, copy: 2), .copiesLow(added.id, remaining: 1),
                    .used(added.id, copy: 3), .copiesLow(added.id, remaining: 0),
                ]
            )
        }
    }

    /// The issuer's date counts, whatever the number of copies, until newer ones are there.
    @Test(arguments: StorageKind.allCases)
    func tellsThatAnUpdateIsDue(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            let added = try await store.add(try await scene.copies(3, update: 10), at: Self.now)
            let kept = try #require(try await store.credential(added.id))
            #expect(kept == added)
            let due = Self.now + 10 * WalletScene.day
            #expect(kept.copies.map(\.expectedUpdate) == [due, due, due])
            #expect(!kept.isUpdateDue(at: due - 1) && kept.isUpdateDue(at: due))
            #expect(try await store.credentialsToRefill(at: due - 1).isEmpty)
            #expect(try await store.credentialsToRefill(at: due).map(\.id) == [added.id])
            // The copies are not few.
            var events = store.events().makeAsyncIterator()
            #expect(try await scene.present(from: store, at: due) != nil)
            _ = try await store.add(try await scene.copies(1, update: 20), to: added.id, at: due)
            let (first, second) = (await events.next(), await events.next())
            #expect(first == .used(added.id, copy: 1) && second == .refilled(added.id))
            #expect(try await store.credentialsToRefill(at: due).isEmpty)
            _ = try await store.add(try await scene.copies(1), to: added.id, at: due)
            #expect(try await store.credentialsToRefill(at: due + 15 * WalletScene.day).isEmpty)
        }
    }

    @Test(arguments: [(RotationPolicy.once, 2), (.limited(uses: 3), 6), (.limited(uses: 0), 2)])
    func presentsAsOftenAsThePolicyAllows(rotation: RotationPolicy, presentations: Int) async throws {
        try await withStore(.memory) { store, scene in
            let added = try await store.add(try await scene.copies(2), rotation: rotation, at: Self.now)
            var count = 0
            while try await scene.present(from: store) != nil { count += 1 }
            #expect(count == presentations)
            let uses = try await store.credential(added.id)?.copies.map(\.uses)
            #expect(uses == [UInt64(presentations / 2), UInt64(presentations / 2)])
        }
    }

    @Test func presentsUntilExpiryByTurns() async throws {
        try await withStore(.memory) { store, scene in
            let copies = try await scene.copies(1, days: 1) + scene.copies(1, days: 20)
            let added = try await store.add(copies, refillThreshold: 1, at: Self.now)
            for _ in 0..<4 { #expect(try await scene.present(from: store) != nil) }
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [2, 2])
            #expect(try await store.credentialsToRefill(at: Self.now).isEmpty)
            // The first copy has expired.
            let later = Self.now + 2 * WalletScene.day
            #expect(try await store.credentialsToRefill(at: later).map(\.id) == [added.id])
            #expect(try await scene.present(from: store, at: later) != nil)
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [2, 3])
            let atLast = Self.now + 21 * WalletScene.day
            let match = try await store.match(try scene.request(), at: atLast)
            #expect(match.docRequests.first?.obstacle == .outsideValidity)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func refillsInPlaceOfUselessCopies(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            let first = try await scene.copies(1) + scene.copies(1, days: 1)
            let added = try await store.add(first, rotation: .once, at: Self.now)
            _ = try await scene.present(from: store)
            let second = try await scene.copies(2)
            let refilled = try await store.add(second, to: added.id, at: Self.now)
            #expect(refilled.credential.copies.map(\.number) == [2, 3, 4])
            #expect(try await store.credential(added.id) == refilled.credential)
            // The spent copy's key, and then that of the expired one; each is what the copy was added with.
            #expect(refilled.removedKeyHandles == [first[0].keyHandle])
            #expect(
                Set(try await store.keyHandles().handles) == [
                    first[1].keyHandle, second[0].keyHandle, second[1].keyHandle,
                ]
            )
            let later = Self.now + 2 * WalletScene.day
            let third = try await scene.copies(1)
            let refilledAgain = try await store.add(third, to: added.id, at: later)
            #expect(refilledAgain.removedKeyHandles == [first[1].keyHandle])
            #expect(refilledAgain.credential.copies.map(\.number) == [3, 4, 5])
            #expect(try await store.add(try await scene.copies(1), to: added.id, at: later).removedKeyHandles.isEmpty)
            #expect(
                try await store.remove(added.id).map { Set($0.handles) }?.isSuperset(of: [third[0].keyHandle]) == true
            )
            #expect(try await store.keyHandles().handles.isEmpty)
        }
    }

    @Test func refusesARefillThatDoesNotFit() async throws {
        try await withStore(.memory) { store, scene in
            let added = try await store.add(try await scene.copies(1), at: Self.now)
            await expect(.invalidValue) {
                _ = try await store.add(try await scene.copies(1, of: "other"), to: added.id, at: Self.now)
            }
            await expect(.unknownCredential) {
                _ = try await store.add(try await scene.copies(1), to: String(repeating: "0", count: 32), at: Self.now)
            }
        }
    }

    @Test func refusesWhatIsNoCredential() async throws {
        try await withStore(.memory) { store, scene in
            await expect(.invalidValue) { try await store.add([], at: Self.now) }
            let copies = try await scene.copies(1)
            await expect(.duplicateCopy) { try await store.add(copies + copies, at: Self.now) }
            #expect(try await store.credentials().isEmpty)
            let mixed = try await copies + scene.copies(1, of: "other")
            await expect(.invalidValue) { try await store.add(mixed, at: Self.now) }
            let key = try PrivateKey.generate(.p256)
            let verified = try scene.verifier.verifyForStorage(try await scene.licence(for: key)).get()
            await expect(.keyMismatch) {
                _ = try NewCopy(
                    verified,
                    deviceKey: try PrivateKey.generate(.p256).publicKey,
                    keyHandle: SecretBytes([1])
                )
            }
            await expect(.limitExceeded) {
                let handle = SecretBytes([UInt8](repeating: 0, count: 65_537))
                _ = try NewCopy(verified, deviceKey: key.publicKey, keyHandle: handle)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func removesACredentialWithItsCopies(kind: StorageKind) async throws {
        let scene = try await WalletScene()
        try await kind.withStorage { storage in
            let store = MdocCredentialStore(storage)
            let kept = try await store.add(try await scene.copies(1), at: Self.now)
            let removed = try await store.add(try await scene.copies(2), at: Self.now)
            #expect(try await store.remove(removed.id)?.handles.count == 2)
            #expect(try await store.remove(removed.id) == nil)
            #expect(try await store.credentials().map(\.id) == [kept.id])
            #expect(try await storage.entries(in: .copies).count == 1)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func countsAUseOfOneMatchOnce(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
            let match = try await store.match(try scene.request(), at: Self.now)
            let decision = match.fullConsent()
            let handles = try await store.claim(decision, at: Self.now)
            #expect(handles.count == 1)
            await expect(.spentCopy) { _ = try await store.claim(decision, at: Self.now) }
            #expect(try await store.claim(.declined, at: Self.now).isEmpty)
            for id in ["", "a", "a/b", "a/1/2", String(repeating: "0", count: 32) + "/1"] {
                let unknown = ConsentDecision([ConsentDecision.Entry(docRequest: 0, credential: id, elements: [])])
                await expect(.unknownCredential) { _ = try await store.claim(unknown, at: Self.now) }
            }
            await expect(.outsideValidity) {
                _ = try await store.claim(decision, at: Self.now + 31 * WalletScene.day)
            }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func claimsEachUseForOneTaskOnly(kind: StorageKind) async throws {
        try await withStore(kind) { store, scene in
            let added = try await store.add(try await scene.copies(1), rotation: .limited(uses: 5), at: Self.now)
            let decision = try await store.match(try scene.request(), at: Self.now).fullConsent()
            let claims = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            return try await !store.claim(decision, at: Self.now).isEmpty
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(claims == 5)
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [5])
        }
    }

    @Test func countsNothingForADecisionThatTheRequestForbids() async throws {
        try await withStore(.memory) { store, scene in
            let added = try await store.add(try await scene.copies(1), rotation: .once, at: Self.now)
            let match = try await store.match(try scene.request(), at: Self.now)
            let credential = try #require(match.fullConsent().entries.first?.credential)
            let forbidden = ConsentDecision([
                ConsentDecision.Entry(
                    docRequest: 0,
                    credential: credential,
                    elements: [DataElementReference(.mDL, "given_name")]
                )
            ])
            await expect(.invalidValue) {
                _ = try await store.response(
                    to: match,
                    decision: forbidden,
                    sessionTranscript: scene.transcript,
                    at: Self.now
                ) { _, handle in .signer(try SoftwareSigner(try WalletScene.key(handle))) }
            }
            #expect(try await store.credential(added.id)?.copies.map(\.uses) == [0])
        }
    }

    @Test func declinesWhatTheReaderRetains() async throws {
        try await withStore(.memory) { store, scene in
            try await store.add(try await scene.copies(1), at: Self.now)
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
    }

    @Test func refusesValuesOfOtherVersions() async throws {
        for (bytes, code) in [
            ([0x81, 0x02], MdocError.Code.unsupportedVersion), ([0x80], .storageDamaged), ([], .storageDamaged),
        ] as [([UInt8], MdocError.Code)] {
            let storage = InMemoryMdocStorage()
            let place = MdocStoragePlace(.credentials, key: [UInt8](repeating: 7, count: 16))
            try await storage.write([.insert(place, SecretBytes(bytes))])
            await expect(code) { _ = try await MdocCredentialStore(storage).credentials() }
        }
    }
}
