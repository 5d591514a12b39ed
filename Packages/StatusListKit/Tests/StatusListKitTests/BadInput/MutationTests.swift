import CBORKit
import JSONKit
import StatusListKit
import TestSupport
import Testing

/// Damaged input is refused or read as something else, never a trap, and never accepted as signed.
@Suite struct MutationTests {
    @Test(arguments: StatusListToken.Form.allCases)
    func damagedTokensAreNeverVerifiedAsSomethingElse(form: StatusListToken.Form) async throws {
        let maker = try TokenMaker(form)
        let original = try await maker.bytes()
        let expected = maker.list
        var mutator = Mutator(seed: 11)
        for _ in 0..<10_000 {
            let damaged = mutator.mutate(original)
            guard let token = try? StatusListToken(damaged, form: form),
                let verified = token.verify(
                    for: TokenMaker.uri,
                    with: maker.key,
                    policy: TokenMaker.policy,
                    at: TokenMaker.now
                ).verified
            else { continue }
            // Only what no signature covers may have changed: how the message was framed.
            #expect(verified.list == expected)
        }
    }

    @Test(arguments: StatusList.Bits.allCases)
    func damagedListsStayWithinTheirLimits(bits: StatusList.Bits) throws {
        var list = try StatusList(count: 4096, bits: bits)
        for index in stride(from: 0, to: 4096, by: 7) { try list.set(bits.largestStatus, at: index) }
        let compressed = try list.compressed()
        let limits = StatusListLimits(inflatedSize: 5000)
        var mutator = Mutator(seed: 12)
        for _ in 0..<10_000 {
            let damaged = mutator.mutate(compressed)
            guard let read = try? StatusList(decompressing: damaged[...], bits: bits, limits: limits) else { continue }
            #expect(read.bytes.count <= 5000)
            // The checksum of zlib is short, but not that short.
            #expect(read == list)
        }
    }

    @Test func damagedReferencesAreReadOrRefused() throws {
        let reference = try StatusReference(index: 412, uri: TokenMaker.uri, certificate: [0x30, 0x00])
        var mutator = Mutator(seed: 13)
        for _ in 0..<10_000 {
            if let view = try? CBORDocument(mutator.mutate(reference.cbor.encoded())).root,
                let read = try? StatusReference(status: view)
            {
                #expect(read.index >= 0 && !read.uri.isEmpty)
            }
            if let value = try? JSONValue(parsing: mutator.mutate(reference.json.encoded())),
                let read = try? StatusReference(status: value)
            {
                #expect(read.index >= 0 && !read.uri.isEmpty)
            }
        }
    }

    @Test func damagedSnapshotsAreReadOrRefused() async throws {
        var snapshot = StatusListSnapshot()
        snapshot.insert(try await TokenMaker(.jwt).token(), for: "a")
        snapshot.insert(try await TokenMaker(.cwt).token(), for: "b")
        let encoded = snapshot.encoded()
        var mutator = Mutator(seed: 14)
        for _ in 0..<5000 {
            guard let read = try? StatusListSnapshot(decoding: mutator.mutate(encoded)) else { continue }
            #expect(try StatusListSnapshot(decoding: read.encoded()).tokens.count == read.tokens.count)
        }
    }
}
