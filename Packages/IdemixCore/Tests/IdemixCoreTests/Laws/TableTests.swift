import CredentialTesting
import CryptoCore
import Foundation
import IdemixCore
import TestSupport
import Testing

/// The tables of fixed bases: their construction, their eviction and their lifetime.
@Suite struct TableTests {
    @Test func worksWithoutTables() throws {
        let world = try TestWorld()
        let list = try world.show(try world.issue(try TestWorld.attributes(["a"])), disclosing: [2])
        let tables = FixedBaseTables(maximumByteCount: 0)
        let key = try IdemixIssuerPublicKey(xml: world.publicKey.xml, tables: tables)
        let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: key))
        #expect(list.verify(expecting: [expectation], nonce: 42).verified != nil)
        #expect(tables.byteCount == 0)
    }

    @Test func allKeysShareOneLimit() throws {
        #expect(FixedBaseTables.shared.maximumByteCount == 64 << 20)
        let limit = 1 << 20
        let tables = FixedBaseTables(maximumByteCount: limit)
        // Without a limit, the tables of these keys take more.
        let unlimited = FixedBaseTables(maximumByteCount: .max)
        for _ in 0..<2 {
            for parameters in [IdemixSystemParameters.bits1024, .bits2048] {
                let world = try TestWorld(parameters)
                let list = try world.show(try world.issue(try TestWorld.attributes(["a", "b", "c"])), disclosing: [2])
                for tables in [tables, unlimited] {
                    let key = try IdemixIssuerPublicKey(xml: world.publicKey.xml, tables: tables)
                    let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: key))
                    for _ in 0..<3 { #expect(list.verify(expecting: [expectation], nonce: 42).verified != nil) }
                }
                #expect(tables.byteCount > 0 && tables.byteCount <= limit)
            }
        }
        #expect(unlimited.byteCount > limit)
        #expect(FixedBaseTables.shared.byteCount <= 64 << 20)
    }

    @Test func tablesStayWithinTheirLimit() throws {
        let world = try TestWorld()
        let list = try world.show(try world.issue(try TestWorld.attributes(["a", "b", "c"])), disclosing: [2])
        let tables = FixedBaseTables(maximumByteCount: 400_000)
        let key = try IdemixIssuerPublicKey(xml: world.publicKey.xml, tables: tables)
        let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: key))
        for use in 1...5 {
            #expect(list.verify(expecting: [expectation], nonce: 42).verified != nil)
            #expect((tables.byteCount > 0) == (use >= 3) && tables.byteCount <= 400_000)
        }
    }

    @Test func buildsATableWithTheThirdUse() throws {
        let scene = try VerificationScene()
        let tables = FixedBaseTables(maximumByteCount: .max)
        let key = try scene.key(tables: tables)
        for _ in 0..<2 { scene.verify(with: key) }
        #expect(tables.statistics.builds == 0 && tables.byteCount == 0)
        scene.verify(with: key)
        // Z^-1, S, and R_i of the secret key, the metadata and three attributes.
        #expect(tables.statistics.builds == 7)
        scene.verify(with: key)
        #expect(tables.statistics == statistics(builds: 7, hits: 7, misses: 14))
    }

    @Test func buildsNoTableForAnExponentOfZero() throws {
        // Attribute 2 is absent: its integer is zero.
        let scene = try VerificationScene([nil, "b", "c"], disclosing: [2, 3])
        let tables = FixedBaseTables(maximumByteCount: .max)
        let key = try scene.key(tables: tables)
        for _ in 0..<3 { scene.verify(with: key) }
        #expect(tables.statistics.builds == 6)
        #expect(tables.statistics.misses == 12)
    }

    /// More keys in rotation than fit: some have tables, the others work without, and none is built twice.
    @Test func aRotationOfTooManyKeysLeavesTheTablesAlone() throws {
        let scene = try VerificationScene()
        let unlimited = FixedBaseTables(maximumByteCount: .max)
        let measured = try scene.key(tables: unlimited)
        for _ in 0..<3 { scene.verify(with: measured) }
        // Room for two of five keys and a half.
        let tables = FixedBaseTables(maximumByteCount: unlimited.byteCount * 5 / 2)
        let scenes = try [scene] + (1..<5).map { try VerificationScene(seed: 10 + $0) }
        let keys = try scenes.map { try $0.key(tables: tables) }
        for _ in 0..<6 { for (scene, key) in zip(scenes, keys) { scene.verify(with: key) } }
        let settled = tables.statistics
        #expect(settled.builds > 0 && settled.builds <= 5 * 7 && settled.evictions == 0)
        for _ in 0..<30 { for (scene, key) in zip(scenes, keys) { scene.verify(with: key) } }
        #expect(tables.statistics.builds == settled.builds)
        #expect(tables.statistics.evictions == 0)
        #expect(tables.byteCount <= tables.maximumByteCount)
    }

    @Test func aHotterKeyTakesThePlaceOfAColderOne() throws {
        let scene = try VerificationScene()
        let other = try VerificationScene(seed: 11)
        let unlimited = FixedBaseTables(maximumByteCount: .max)
        let measured = try scene.key(tables: unlimited)
        for _ in 0..<3 { scene.verify(with: measured) }
        let tables = FixedBaseTables(maximumByteCount: unlimited.byteCount)
        let (key, otherKey) = (try scene.key(tables: tables), try other.key(tables: tables))
        for _ in 0..<3 { scene.verify(with: key) }
        for _ in 0..<7 { other.verify(with: otherKey) }
        #expect(tables.statistics.evictions == 0)
        other.verify(with: otherKey)
        // With eight uses it is more than twice as hot as with three.
        #expect(tables.statistics.evictions > 0)
        let evictions = tables.statistics.evictions
        scene.verify(with: key)
        #expect(tables.statistics.evictions == evictions)
        #expect(tables.byteCount <= tables.maximumByteCount)
    }

    @Test func keysThatAreNamedOnceOrTwiceCauseNoBuilds() throws {
        let tables = FixedBaseTables(maximumByteCount: 64 << 20)
        let scene = try VerificationScene()
        let key = try scene.key(tables: tables)
        for _ in 0..<3 { scene.verify(with: key) }
        let before = tables.statistics
        for seed in 20..<40 {
            let other = try VerificationScene(seed: seed)
            let otherKey = try other.key(tables: tables)
            for _ in 0..<2 { other.verify(with: otherKey) }
        }
        #expect(tables.statistics.builds == before.builds && tables.statistics.evictions == 0)
    }

    @Test func aCredentialsTableBelongsToIt() throws {
        let world = try TestWorld()
        let tables = FixedBaseTables(maximumByteCount: .max)
        let key = try IdemixIssuerPublicKey(xml: world.publicKey.xml, tables: tables)
        func credential() throws -> IdemixCredential {
            let issued = try world.issue(try TestWorld.attributes(["a"]))
            return try IdemixCredential(
                publicKey: key,
                signature: issued.signature,
                secretKey: world.secretKey,
                attributes: issued.attributes
            )
        }
        func show(_ credential: IdemixCredential, _ count: Int) throws {
            for _ in 0..<count { _ = try world.show(credential, disclosing: []) }
        }
        var first: IdemixCredential? = try credential()
        weak let base = first?.base
        try show(#require(first), 2)
        #expect(base?.hasTable == false)
        try show(#require(first), 1)
        #expect(base?.hasTable == true)
        let builds = tables.statistics.builds
        // Another credential of the key adds nothing to the shared tables.
        try show(credential(), 3)
        #expect(tables.statistics.builds == builds)
        first = nil
        #expect(base == nil)
    }

    @Test func aWitnessesTableBelongsToIt() throws {
        let world = try TestWorld()
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var authority = try RevocationAuthority(keys: world.keys, at: date, using: world.randomness)
        var credential = try world.issue(try TestWorld.attributes(["a"]), authority: authority)
        func show(_ count: Int) throws {
            for _ in 0..<count {
                _ = try PreparedIdemixDisclosure(
                    IdemixDisclosureRequest(credential, disclosing: [], provingNonRevocation: true),
                    using: world.randomness
                )
            }
        }
        func update() throws {
            let update = try authority.update(lastEvents: 2).verified(by: world.publicKey)
            let witness = try #require(credential.witness)
            credential = try credential.updatingWitness(witness.updated(with: update, publicKey: world.publicKey))
        }
        weak let base = credential.witness?.base
        weak let signatureBase = credential.base
        try show(3)
        #expect(base?.hasTable == true)
        // The same accumulator, signed later, keeps u and its table.
        try authority.refresh(at: date + 60, keys: world.keys)
        try update()
        #expect(credential.witness?.base === base && base?.hasTable == true)
        // Another accumulator has another u: the old table of u is gone, that of A stays.
        try authority.revoke(authority.makeWitness(using: world.randomness).e, at: date + 120, keys: world.keys)
        try update()
        #expect(base == nil && credential.witness?.base.hasTable == false)
        #expect(credential.base === signatureBase && signatureBase?.hasTable == true)
    }

    private func statistics(builds: Int, hits: Int, misses: Int) -> FixedBaseTables.Statistics {
        var statistics = FixedBaseTables.Statistics()
        (statistics.builds, statistics.hits, statistics.misses) = (builds, hits, misses)
        return statistics
    }
}

/// A disclosure under a separate key, and its verification.
private struct VerificationScene {
    private let xml: [UInt8]
    private let list: IdemixProofList

    init(_ texts: [String?] = ["a", "b", "c"], disclosing disclosed: Set<Int> = [2], seed: Int = 0) throws {
        let world = try TestWorld()
        // Other bases over the same modulus are another key.
        let (p, q) = world.keys.privateKey.factors
        let keys = try IdemixIssuerKeyPair.make(
            p: p,
            q: q,
            counter: 1,
            expiryDate: .distantFuture,
            baseCount: 7,
            using: GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: UInt64(seed)))
        )
        let other = TestWorld(keys: keys, like: world)
        list = try other.show(try other.issue(try TestWorld.attributes(texts)), disclosing: disclosed)
        xml = keys.publicKey.xml
    }

    func key(tables: FixedBaseTables) throws -> IdemixIssuerPublicKey {
        try IdemixIssuerPublicKey(xml: xml, tables: tables)
    }

    func verify(with key: IdemixIssuerPublicKey) {
        let expectation = IdemixProofExpectation.disclosure(IdemixDisclosureExpectation(publicKey: key))
        #expect(list.verify(expecting: [expectation], nonce: 42).verified != nil)
    }
}
