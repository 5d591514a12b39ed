#if Server && Client
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import KeyshareServer
import ServingContracts
import Testing

/// Sessions in which the keyshare server has a part of the user's key.
struct KeyshareTests {
    private typealias Parties = EndToEndParties
    private static let pin = "12345"
    private static let idIssuance = Parties.issuing(CredentialRequest(Parties.id, attributes: ["name": "Alice"]))

    private func enrolled(
        _ world: EndToEndWorld,
        storage: any CredentialStorage = InMemoryCredentialStorage(),
        newProtocol: Bool = false
    ) async throws -> IRMAWallet {
        let wallet = try await world.wallet(storage: storage) { $0.prefersNewKeyshareProtocol = newProtocol }
        let session = try await wallet.enroll(at: "ks", pin: Self.pin)
        _ = try await session.answer(try #require(try await session.request().firstChoice))
        return wallet
    }

    @Test(arguments: [false, true])
    func enrolsAndUsesTheAccount(newProtocol: Bool) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world, newProtocol: newProtocol)
            #expect(try await wallet.accounts().map(\.isComplete) == [true])
            #expect(await wallet.credentials().map(\.type) == [Parties.login])
            try await wallet.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            // Shown with a credential that no keyshare server has a part of.
            try await wallet.finish(world.server.start(Parties.cardIssuance))
            let package = try await world.server.start(
                Parties.disclosing([[["ks.gov.id.name"]], [["demo.bank.card.name"]], [["ks.gov.login.user"]]])
            )
            try await wallet.finish(package, pin: Self.pin)
            let result = try await world.server.result(of: package.token)
            #expect(result.proofStatus == .valid)
            #expect(result.disclosed.prefix(2).map { $0?.first?.rawValue } == ["Alice", "Alice"])
        }
    }

    @Test(arguments: [false, true])
    func signsAndIssuesWithADisclosure(newProtocol: Bool) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world, newProtocol: newProtocol)
            try await wallet.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            let signing = SessionRequest(.signing(message: "yes"), disclose: [[["ks.gov.id.name"]]])
            let combined = Parties.issuing(
                CredentialRequest(Parties.id, attributes: ["name": "Bob"]),
                showing: [[["ks.gov.id.name"]]]
            )
            for request in [signing, combined] {
                let package = try await world.server.start(request)
                try await wallet.finish(package, pin: Self.pin)
                #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            }
        }
    }

    @Test func asksForThePINAgain() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world)
            try await wallet.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            // The token of the last PIN is no longer good after an hour.
            world.time.advance(by: .seconds(3600))
            let request = Parties.disclosing([[["ks.gov.id.name"]]])
            let wrong = try await world.server.start(request)
            let error = await #expect(throws: WalletError.self) { try await wallet.finish(wrong, pin: "54321") }
            #expect([.keyshare, .keyshareBlocked].contains(error?.code))
            world.time.advance(by: .seconds(3600))
            let package = try await world.server.start(request)
            try await wallet.finish(package, pin: Self.pin)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        }
    }

    @Test func changesThePIN() async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world)
            try await wallet.changePIN(at: "ks", from: Self.pin, to: "67890")
            try await wallet.logIn(at: "ks", pin: "67890")
            await #expect(throws: WalletError.self) { try await wallet.logIn(at: "ks", pin: Self.pin) }
            try await wallet.finish(world.server.start(Self.idIssuance), pin: "67890")
        }
    }

    /// A token that its server no longer takes, though its time is not over.
    @Test(arguments: [false, true])
    func logsInAgainAfterAChangeOfThePINElsewhere(newProtocol: Bool) async throws {
        try await EndToEndWorld.run { world in
            let storage = InMemoryCredentialStorage()
            let wallet = try await enrolled(world, storage: storage, newProtocol: newProtocol)
            try await wallet.logIn(at: "ks", pin: Self.pin)
            let other = try await world.wallet(storage: storage)
            try await other.changePIN(at: "ks", from: Self.pin, to: "67890")
            try await wallet.finish(world.server.start(Self.idIssuance), pin: "67890")
            // The new token is kept.
            let package = try await world.server.start(Parties.disclosing([[["ks.gov.id.name"]]]))
            try await wallet.finish(package)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
        }
    }

    /// A session that begins in one week and ends in the next: both sides write the same dates into the credential.
    @Test(arguments: [false, true])
    func crossesTheBoundaryOfAWeek(newProtocol: Bool) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world, newProtocol: newProtocol)
            let week = 604_800.0
            func waitForTheLastSecond() {
                let seconds = world.time.date.timeIntervalSince1970
                let boundary = (seconds / week + 1).rounded(.down) * week
                world.time.advance(by: .seconds(boundary - 1 - seconds))
            }
            waitForTheLastSecond()
            let package = try await world.server.start(Self.idIssuance)
            let issuing = try wallet.session(with: package.pointer)
            let offer = try await issuing.request()
            world.time.advance(by: .seconds(2))
            _ = try await issuing.answer(try #require(offer.firstChoice)) { _ in Self.pin }
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            #expect(await wallet.credentials().contains { $0.type == Parties.id })

            waitForTheLastSecond()
            let disclosure = try await world.server.start(Parties.disclosing([[["ks.gov.id.name"]]]))
            let showing = try wallet.session(with: disclosure.pointer)
            let request = try await showing.request()
            world.time.advance(by: .seconds(2))
            _ = try await showing.answer(try #require(request.firstChoice)) { _ in Self.pin }
            let result = try await world.server.result(of: disclosure.token)
            #expect(result.proofStatus == .valid)
            #expect(result.disclosed.first??.map(\.rawValue) == ["Alice"])
        }
    }

    /// An account of a record in the reference's form, of the time before devices had keys.
    @Test func takesOverAnOldAccount() async throws {
        let (key, nonce) = (SecretBytes.random(count: 32), SecretBytes.random(count: 32))
        let storageKey = try StorageKey(id: 7, key: key)
        let accounts = MemoryKeyshareAccountStore()
        let old = try Self.oldRecord(pin: Self.pin, nonce: nonce, sealedWith: key)
        try await accounts.insert(KeyshareAccount(username: "old", language: "en", coreData: old, lastSeen: 0))
        try await EndToEndWorld.run {
            $0.accounts = accounts
            $0.storageKey = storageKey
        } _: { world in
            let wallet = try await world.wallet()
            try await wallet.migrateAccount(at: "ks", username: "old", nonce: nonce)
            await #expect(throws: WalletError.self) { try await wallet.logIn(at: "ks", pin: "54321") }
            try await wallet.logIn(at: "ks", pin: Self.pin)
            try await wallet.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            let package = try await world.server.start(Parties.disclosing([[["ks.gov.id.name"]]]))
            try await wallet.finish(package, pin: Self.pin)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            // The record is in the own form now, and the PIN changes as that of any account.
            let record = try #require(try await accounts.account(named: "old")).account.coreData
            #expect(record != old)
            try await wallet.changePIN(at: "ks", from: Self.pin, to: "67890")
            // A second wallet cannot take it over once more.
            let thief = try await world.wallet()
            try await thief.migrateAccount(at: "ks", username: "old", nonce: nonce)
            await #expect(throws: WalletError.self) { try await thief.logIn(at: "ks", pin: "67890") }
        }
    }

    /// A map of CBOR with the PIN as wallets send it, the secret and the identifier, sealed with AES-256-GCM.
    private static func oldRecord(pin: String, nonce: SecretBytes, sealedWith key: SecretBytes) throws -> [UInt8] {
        let salted = nonce.withUnsafeBytes { [UInt8]($0) } + Array(pin.utf8)
        let text = Array((Data(HashAlgorithm.sha256.digest(of: salted)).base64EncodedString() + "\n").utf8)
        var map: [UInt8] = [0xa3]
        let fields: [(String, [UInt8])] = [
            ("Pin", [UInt8](repeating: 0, count: 64 - text.count) + text),
            ("KeyshareSecret", [UInt8](repeating: 0, count: 33) + [UInt8](repeating: 0x5a, count: 31)),
            ("ID", [UInt8](repeating: 9, count: 32)),
        ]
        for (name, value) in fields {
            map += [0x60 | UInt8(name.utf8.count)] + Array(name.utf8) + [0x58, UInt8(value.count)] + value
        }
        let iv = [UInt8](repeating: 3, count: 12)
        let sealed = try AEADAlgorithm.aes256GCM.sealCombined(map, key: key, nonce: iv, additionalData: [UInt8]())
        return [7, 0, 0, 0] + iv + sealed
    }

    /// Another wallet with the same credentials has no account's key.
    @Test func twoWalletsHaveTwoAccounts() async throws {
        try await EndToEndWorld.run { world in
            let (first, second) = (try await enrolled(world), try await enrolled(world))
            let names = try await [first.accounts(), second.accounts()].flatMap { $0.map(\.username) }
            #expect(Set(names).count == 2)
            async let one = first.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            async let two = second.finish(world.server.start(Self.idIssuance), pin: Self.pin)
            #expect(try await [one, two].map { $0.entry.issued.count } == [1, 1])
        }
    }
}
#endif
