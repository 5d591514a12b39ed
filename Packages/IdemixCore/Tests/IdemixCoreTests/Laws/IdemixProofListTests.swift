import CryptoCore
import IdemixCore
import TestSupport
import Testing

@Suite struct IdemixProofListTests {
    @Test func bindsCredentialsAndIssuancesToOneSecretKey() throws {
        let world = try TestWorld(.bits1024)
        let other = try TestWorld(.bits2048)
        let first = try world.issue(try TestWorld.attributes(["a"]))
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(first, disclosing: [2]))
        try builder.add(
            PreparedIdemixDisclosure(IdemixDisclosureRequest(first, disclosing: []), using: world.randomness)
        )
        _ = try builder.addIssuance(publicKey: other.publicKey, secretKey: world.secretKey, blindIndices: [2])
        let list = try builder.prove(nonce: 5)
        let blind = IdemixIssuanceExpectation(publicKey: other.publicKey, blindIndices: [2])
        let expectations = [world.expectation, world.expectation, .issuance(blind)]
        #expect(list.verify(expecting: expectations, nonce: 5).verified != nil)
        #expect(Set(list.proofs.map(\.secretKeyResponse)).count == 1)
    }

    @Test func issuesSeveralCredentialsAtOnce() throws {
        let world = try TestWorld()
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: []))
        var pending: [PendingIdemixCredential] = []
        for blind: Set<Int> in [[], [2], [2, 3]] {
            pending.append(
                try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey, blindIndices: blind)
            )
        }
        let list = try builder.prove(nonce: 5)
        let expectations = pending.map {
            IdemixProofExpectation.issuance(
                IdemixIssuanceExpectation(publicKey: world.publicKey, blindIndices: $0.blindIndices)
            )
        }
        let verified = try #require(list.verify(expecting: [world.expectation] + expectations, nonce: 5).verified)
        let issuer = IdemixIssuer(keys: world.keys, using: world.randomness)
        let attributes = try TestWorld.attributes([nil, nil])
        let shown = IdemixProofListBuilder(using: world.randomness)
        for (pending, proof) in zip(pending, verified.proofs.dropFirst()) {
            guard case .issuance(let commitment) = proof else { throw TestFailure("no commitment") }
            let issued = try issuer.sign(
                attributes: attributes,
                blindIndices: commitment.blindIndices,
                commitment: commitment.value,
                nonce: 6
            )
            let credential = try pending.finish(with: issued, attributes: attributes, nonce: 6)
            try shown.add(IdemixDisclosureRequest(credential, disclosing: [3]))
        }
        let expected = pending.map { _ in world.expectation }
        #expect(try shown.prove(nonce: 7).verify(expecting: expected, nonce: 7).verified != nil)
        // One commitment's signature does not fit another's holder.
        let first = try issuer.sign(attributes: attributes, commitment: try list.issuance(1).U, nonce: 6)
        #expect(code { _ = try pending[1].finish(with: first, attributes: attributes, nonce: 6) } == .invalidIndices)
    }

    @Test func refusesAnotherHoldersCredential() throws {
        let world = try TestWorld(seed: 1)
        let stranger = try TestWorld(seed: 2)
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2]))
        try builder.add(IdemixDisclosureRequest(try stranger.issue(try TestWorld.attributes(["b"])), disclosing: [2]))
        let list = try builder.prove(nonce: 5)
        let verdict = list.verify(expecting: [world.expectation, world.expectation], nonce: 5)
        #expect(verdict.failedCheck == .holderBinding)
        // With different keyshare servers the secret keys may differ, and each proof by itself is right.
        let apart: [IdemixProofExpectation] = ["one", "two"].map {
            .disclosure(IdemixDisclosureExpectation(publicKey: world.publicKey, keyshareServer: $0))
        }
        #expect(list.verify(expecting: apart, nonce: 5).verified != nil)
    }

    @Test func reportsEveryCheck() throws {
        let world = try TestWorld()
        let list = try world.show(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let good = list.verify(expecting: [world.expectation], nonce: 42)
        #expect(good.checks.map(\.check) == IdemixProofList.checks)
        #expect(good.checks.filter { $0.outcome != .passed }.map(\.check) == [.credentialType, .status])
        #expect(good.time == TestWorld.time)
        let bad = IdemixProofList([]).verify(expecting: [], nonce: 42)
        #expect(bad.failedCheck == .proofCount)
        #expect(bad.checks.dropFirst().allSatisfy { $0.outcome == .notReached })
    }

    @Test func preparedDisclosuresAnswerOnce() throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a"]))
        let prepared = try PreparedIdemixDisclosure(IdemixDisclosureRequest(credential, disclosing: [2]))
        let builder = IdemixProofListBuilder()
        try builder.add(prepared)
        #expect(try builder.prove(nonce: 42).verify(expecting: [world.expectation], nonce: 42).verified != nil)
        let second = IdemixProofListBuilder()
        var refusal: IdemixError.Code?
        do throws(IdemixError) { try second.add(prepared) } catch { refusal = error.code }
        #expect(refusal == .commitmentUsed)
        #expect(try second.contributions.isEmpty)
    }

    @Test func preparedDisclosuresAnswerOnceUnderConcurrency() async throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a"]))
        let prepared = try PreparedIdemixDisclosure(IdemixDisclosureRequest(credential, disclosing: [2]))
        let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let builder = IdemixProofListBuilder()
                    do { try builder.add(prepared) } catch { return false }
                    return try !builder.prove(nonce: 42).proofs.isEmpty
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == 1)
    }

    @Test func poolsHandOutEachDisclosureOnce() async throws {
        let world = try TestWorld()
        let credential = try world.issue(try TestWorld.attributes(["a"]))
        let pool = IdemixDisclosurePool(try IdemixDisclosureRequest(credential, disclosing: [2]))
        try pool.fill(to: 6)
        #expect(pool.count == 6)
        let signatures = try await withThrowingTaskGroup(of: BigInteger.self) { group in
            for _ in 0..<9 {
                group.addTask {
                    let builder = IdemixProofListBuilder()
                    try builder.add(pool.next())
                    return try builder.prove(nonce: 42).firstDisclosure().A
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(signatures.count == 9)
        #expect(pool.count == 0)
    }

    @Test func primePoolsHandOutEachPrimeOnceUnderConcurrency() async throws {
        let world = try TestWorld()
        let pool = CLSignaturePrimePool(keys: world.keys, capacity: 0)
        try pool.fill(to: 4)
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let U = try builder.prove(nonce: 1).firstIssuance().U
        let issuer = IdemixIssuer(keys: world.keys, primes: pool)
        let primes = try await withThrowingTaskGroup(of: BigInteger.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try issuer.sign(attributes: TestWorld.attributes(["a"]), commitment: U, nonce: 2).signature.e
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(primes.count == 8)
        #expect(pool.count == 0)
    }

    @Test func primePoolsHandOutEachPrimeOnce() throws {
        let world = try TestWorld()
        let pool = CLSignaturePrimePool(keys: world.keys, capacity: 0)
        try pool.fill(to: 2)
        #expect(pool.count == 2)
        let issuer = IdemixIssuer(keys: world.keys, primes: pool)
        let primes = try (0..<3).map { _ in
            let builder = IdemixProofListBuilder(using: world.randomness)
            _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
            let U = try builder.prove(nonce: 1).firstIssuance().U
            return try issuer.sign(attributes: TestWorld.attributes(["a"]), commitment: U, nonce: 2).signature.e
        }
        #expect(Set(primes).count == 3)
        #expect(pool.count == 0)
    }

    @Test func primePoolsFillUpInTheBackground() async throws {
        let world = try TestWorld()
        let builder = IdemixProofListBuilder(using: world.randomness)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey)
        let U = try builder.prove(nonce: 1).firstIssuance().U
        func sign(_ issuer: IdemixIssuer) throws -> BigInteger {
            try issuer.sign(attributes: TestWorld.attributes(["a"]), commitment: U, nonce: 2).signature.e
        }
        let pool = CLSignaturePrimePool(keys: world.keys, capacity: 3)
        #expect(pool.count == 0)
        var primes: Set<BigInteger> = []
        for round in 1...3 {
            for _ in 0..<2 { primes.insert(try sign(IdemixIssuer(keys: world.keys, primes: pool))) }
            await pool.waitUntilFilled()
            #expect(pool.count == 3)
            #expect(primes.count == 2 * round)
        }
        // An issuer has the pool of its keys, unless its randomness is another than the system's.
        let keys = try IdemixIssuerKeyPair(publicKey: world.publicKey, privateKey: world.keys.privateKey)
        _ = try sign(IdemixIssuer(keys: keys, using: world.randomness))
        await keys.primes.waitUntilFilled()
        #expect(keys.primes.count == 0)
        _ = try sign(IdemixIssuer(keys: keys))
        await keys.primes.waitUntilFilled()
        #expect(keys.primes.count == CLSignaturePrimePool.defaultCapacity)
    }
}
