#if Server && Client
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import Testing

/// Credentials that can be revoked, from issuance to the refusal of a revoked one.
struct RevocationTests {
    private typealias Parties = EndToEndParties

    private func wallet(_ key: String, _ world: EndToEndWorld) async throws -> IRMAWallet {
        let wallet = try await world.wallet()
        try await wallet.finish(world.server.start(Parties.passIssuance(key)))
        return wallet
    }

    private func show(_ wallet: IRMAWallet, _ world: EndToEndWorld) async throws -> SessionResult {
        let package = try await world.server.start(Parties.passRequest)
        try await wallet.finish(package)
        return try await world.server.result(of: package.token)
    }

    private func revoke(_ key: String, _ world: EndToEndWorld) async throws {
        try await world.authority.revoke(RevocationRequest(Parties.pass, revocationKey: key))
    }

    @Test func witnessesFollowTheRevocationsOfOthers() async throws {
        try await EndToEndWorld.run { world in
            let own = try await wallet("own", world)
            _ = try await wallet("first", world)
            _ = try await wallet("second", world)
            #expect(try await show(own, world).proofStatus == .valid)
            // A commitment is prepared by now, to the accumulator before the revocation.
            for other in ["first", "second"] {
                try await revoke(other, world)
                let result = try await show(own, world)
                #expect(result.proofStatus == .valid)
                #expect(result.disclosed.first??.map(\.rawValue) == ["own"])
            }
        }
    }

    @Test func witnessesFollowManyRevocationsAtOnce() async throws {
        try await EndToEndWorld.run { world in
            let own = try await wallet("own", world)
            // More events than a request brings along.
            for number in 0..<20 {
                _ = try await wallet("\(number)", world)
                try await revoke("\(number)", world)
            }
            #expect(try await show(own, world).proofStatus == .valid)
        }
    }

    @Test func witnessesAreUpdatedInTheBackground() async throws {
        try await EndToEndWorld.run { world in
            let own = try await wallet("own", world)
            _ = try await wallet("other", world)
            try await revoke("other", world)
            #expect(await own.updateWitnesses().isEmpty)
            #expect(try await show(own, world).proofStatus == .valid)
        }
    }

    @Test func aRevokedCredentialIsNotShown() async throws {
        try await EndToEndWorld.run { world in
            let own = try await wallet("own", world)
            #expect(try await show(own, world).proofStatus == .valid)
            try await revoke("own", world)
            let session = try own.session(with: try await world.server.start(Parties.passRequest).pointer)
            let request = try await session.request()
            #expect(!request.isSatisfiable)
            #expect(request.disjunctions.first?.candidates.first?.isUsable == false)
            await session.cancel()
            #expect(await own.credentials().map(\.isRevoked) == [true])
        }
    }

    /// A session that began before the revocation ends well; the next one does not.
    @Test func aRevocationDuringASessionCountsFromTheNextOne() async throws {
        try await EndToEndWorld.run { world in
            let own = try await wallet("own", world)
            let package = try await world.server.start(Parties.passRequest)
            let session = try own.session(with: package.pointer)
            let choice = try #require(try await session.request().firstChoice)
            try await revoke("own", world)
            _ = try await session.answer(choice)
            #expect(try await world.server.result(of: package.token).proofStatus == .valid)
            let next = try own.session(with: try await world.server.start(Parties.passRequest).pointer)
            #expect(try await !next.request().isSatisfiable)
            await next.cancel()
        }
    }
}
#endif
