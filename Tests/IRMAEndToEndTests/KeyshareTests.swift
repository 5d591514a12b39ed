#if Server && Client
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import ServingContracts
import Testing

/// Sessions in which the keyshare server has a part of the user's key.
struct KeyshareTests {
    private typealias Parties = EndToEndParties
    private static let pin = "12345"
    private static let idIssuance = Parties.issuing(CredentialRequest(Parties.id, attributes: ["name": "Alice"]))

    private func enrolled(_ world: EndToEndWorld, newProtocol: Bool = false) async throws -> IRMAWallet {
        let wallet = try await world.wallet { $0.prefersNewKeyshareProtocol = newProtocol }
        let session = try await wallet.enroll(at: "ks", pin: Self.pin)
        _ = try await session.answer(try #require(try await session.request().firstChoice))
        return wallet
    }

    @Test(arguments: [false, true])
    func enrolsAndUsesTheAccount(newProtocol: Bool) async throws {
        try await EndToEndWorld.run { world in
            let wallet = try await enrolled(world, newProtocol: newProtocol)
            #expect(try await wallet.accounts().map(\.isComplete) == [true])
            #expect(try await wallet.credentials().map(\.type) == [Parties.login])
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
