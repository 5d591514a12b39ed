import COSEKit
import CryptoCore
import Foundation
import Harness
import JOSEKit
import StatusListKit

/// Verification of a status list token and look-ups in its list, beside the primitives that they rest on.
enum StatusListBenchmarks: LayerBenchmarks {
    static let layer = "StatusListKit"

    private static let entries = 1_000_000
    private static let uri = "https://issuer.example/lists/1"
    private static let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        try decompression(stopwatch, report)
        for form in StatusListToken.Form.allCases { try await verification(form, stopwatch, report) }
        try await lookingUp(stopwatch, report)
    }

    /// A list of a million entries, one in a hundred of them revoked, without a pattern.
    private static func list(_ bits: StatusList.Bits) throws -> StatusList {
        var list = try StatusList(count: entries, bits: bits)
        var state: UInt64 = 1
        for _ in 0..<entries / 100 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            try list.set(.invalid, at: Int(state >> 33) % entries)
        }
        return list
    }

    private static func decompression(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        for bits in StatusList.Bits.allCases {
            let list = try list(bits)
            let compressed = try list.compressed()[...]
            let nanoseconds = try stopwatch.nanoseconds {
                blackHole(try StatusList(decompressing: compressed, bits: bits))
            }
            let name = "decompress a list of a million entries of \(bits.rawValue) bits (\(compressed.count) bytes)"
            let megabytesPerSecond = Double(list.bytes.count) / nanoseconds * 1000
            report(Figure(layer: layer, name: name, value: megabytesPerSecond, unit: "MB/s"))
        }
    }

    /// A token from its bytes to its verified list, beside a bare signature verification of its bytes and the decompression.
    private static func verification(
        _ form: StatusListToken.Form,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let (bytes, compressed) = try await token(form, signer)
        let message = [UInt8](repeating: 0x41, count: bytes.count)
        let signature = try signer.signature(for: message)
        let key = signer.publicKey
        let now = Date()
        let verify = { @Sendable () throws in
            let token = try StatusListToken(bytes, form: form)
            blackHole(try token.verify(for: uri, with: .publicKey(key), policy: policy, at: now).get())
        }
        let verifyBare = { @Sendable () throws in
            blackHole(key.isValidSignature(signature, for: message, algorithm: .ecdsaSHA256, format: .raw))
            blackHole(try StatusList(decompressing: compressed, bits: .one))
        }
        let comparison = try stopwatch.compare(verify, with: verifyBare)
        let operation = "read and verify a \(form) of a million entries (\(bytes.count) bytes)"
        report(
            Figure(
                layer: layer,
                name: "\(operation) / P-256 verification and inflation",
                value: comparison.ratio,
                bar: .atMost(1.5)
            )
        )
        // A list takes many times the memory of the token that it is compressed in.
        let size = bytes.count + entries / 8
        try await Allocations { try verify() }?.figures(
            layer: layer,
            of: "\(operation), its list counted as input",
            input: size,
            bars: (48, 3.32, 3.31)
        )
        .forEach(report)
        let contention = Contention(
            rounds: 100,
            (0..<2).map { _ in { blackHole(try? verify()) } },
            bareRounds: 100,
            bare: (0..<2).map { _ in { blackHole(try? verifyBare()) } }
        )
        contention.figures(
            layer: layer,
            of: "read and verify a \(form)",
            beside: "P-256 verification and inflation"
        )
        .forEach(report)
    }

    private static func token(
        _ form: StatusListToken.Form,
        _ signer: SoftwareSigner
    ) async throws -> (bytes: [UInt8], compressed: ArraySlice<UInt8>) {
        let list = try list(.one)
        let content = try StatusListContent(uri: uri, list: list, issuedAt: Date().addingTimeInterval(-10))
        let token =
            form == .jwt ? try await content.signedJWT(with: signer) : try await content.signedCWT(with: signer)
        return (token.encodedBytes, try list.compressed()[...])
    }

    /// A status in a verified list, beside a bare signature verification, which every credential costs.
    private static func lookingUp(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let (bytes, _) = try await token(.cwt, signer)
        let message = [UInt8](repeating: 0x42, count: 500)
        let signature = try signer.signature(for: message)
        let key = signer.publicKey
        let now = Date()
        let list = try StatusListToken(cwt: bytes).verify(for: uri, with: .publicKey(key), policy: policy, at: now)
            .get()
        let reference = try StatusReference(index: 777_777, uri: uri)
        let comparison = stopwatch.compare {
            blackHole(list.status(for: reference, policy: policy, at: now))
        } with: {
            blackHole(key.isValidSignature(signature, for: message, algorithm: .ecdsaSHA256, format: .raw))
        }
        report(
            Figure(
                layer: layer,
                name: "check a status in a verified list of a million entries / bare P-256 verification",
                value: comparison.ratio,
                bar: .atMost(0.05)
            )
        )
        try await cached(list, key, stopwatch, report)
    }

    /// The same through a client that has the list.
    private static func cached(
        _ list: VerifiedStatusList,
        _ key: PublicKey,
        _ stopwatch: Stopwatch,
        _ report: (Figure) -> Void
    ) async throws {
        let client = StatusListClient(transport: nil, policy: policy)
        var snapshot = StatusListSnapshot()
        snapshot.insert(list.token, for: uri)
        let now = Date()
        client.load(snapshot, signedBy: .publicKey(key), at: now)
        let reference = try StatusReference(index: 777_777, uri: uri)
        let comparison = await stopwatch.compare {
            blackHole(await client.status(for: reference, signedBy: .publicKey(key), at: now))
        } withSynchronous: {
            blackHole(list.status(for: reference, policy: policy, at: now))
        }
        let name = "the same through a client that keeps the list / in the list itself"
        report(Figure(layer: layer, name: name, value: comparison.ratio))
    }
}
