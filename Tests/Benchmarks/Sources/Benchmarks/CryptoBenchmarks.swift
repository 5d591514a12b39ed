import Crypto
import CryptoCore
import Harness

/// Keys and signatures of CryptoCore beside the bare calls of swift-crypto, on the same bytes.
enum CryptoBenchmarks: LayerBenchmarks {
    static let layer = "CryptoCore"

    private static let message = [UInt8](repeating: 7, count: 500)

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) throws {
        try importP256(stopwatch, report)
        try importOthers(stopwatch, report)
        try verifyP256(stopwatch, report)
        try verifyEd25519(stopwatch, report)
        try compareP521(stopwatch, report)
        try compareRSA(stopwatch, report)
        try verifyOthers(stopwatch, report)
    }

    /// The import of a key in every form beside swift-crypto's own import of its point.
    private static func importP256(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generate(.p256).publicKey
        let point = key.x963Representation ?? []
        let x = (key.x ?? [])[...]
        let y = (key.y ?? [])[...]
        let info = key.subjectPublicKeyInfo
        let bare = { blackHole(try P256.Signing.PublicKey(x963Representation: point)) }
        let imports: [(String, () throws -> Void)] = [
            ("its point", { blackHole(try PublicKey(curve: .p256, x963Representation: point)) }),
            ("slices of its coordinates", { blackHole(try PublicKey(curve: .p256, x: x, y: y)) }),
            ("SubjectPublicKeyInfo", { blackHole(try PublicKey(subjectPublicKeyInfo: info)) }),
        ]
        for (source, body) in imports {
            let times = try stopwatch.compare(body, with: bare)
            let name = "import a P-256 key from \(source) / swift-crypto's import of its point"
            add(name, times.ratio, "x", .atMost(2.25), report)
        }
        add("swift-crypto's own import of a P-256 point", try stopwatch.nanoseconds(of: bare) / 1000, "µs", nil, report)
    }

    private static func importOthers(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        for curve in EllipticCurve.all where curve != .p256 {
            let info = try PrivateKey.generate(curve).publicKey.subjectPublicKeyInfo
            let time = try stopwatch.nanoseconds { blackHole(try PublicKey(subjectPublicKeyInfo: info)) }
            add("import a key on \(curve.name) from SubjectPublicKeyInfo", time / 1000, "µs", nil, report)
        }
        let info = try PrivateKey.generateRSA(bits: 2048).publicKey.subjectPublicKeyInfo
        let time = try stopwatch.nanoseconds { blackHole(try PublicKey(subjectPublicKeyInfo: info)) }
        add("import an RSA key of 2048 bits from SubjectPublicKeyInfo", time / 1000, "µs", nil, report)
    }

    private static func verifyP256(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generate(.p256)
        let publicKey = key.publicKey
        let signature = try key.signature(for: message, algorithm: .ecdsaSHA256)
        let slice = signature[...]
        let text = message[...]
        let bareKey = try P256.Signing.PublicKey(x963Representation: publicKey.x963Representation ?? [])
        let times = try stopwatch.compare(
            { blackHole(publicKey.isValidSignature(slice, for: text, algorithm: .ecdsaSHA256)) },
            with: {
                let bare = try P256.Signing.ECDSASignature(rawRepresentation: signature)
                blackHole(bareKey.isValidSignature(bare, for: message))
            }
        )
        add("verify a P-256 signature over 500 bytes, beside swift-crypto", times.ratio, "x", .atMost(1.05), report)
        add("verify a P-256 signature over 500 bytes", times.nanosecondsOfA / 1000, "µs", nil, report)
    }

    private static func verifyEd25519(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generate(.ed25519)
        let publicKey = key.publicKey
        let signature = try key.signature(for: message, algorithm: .ed25519)
        let bareKey = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey.rawRepresentation ?? [])
        let times = stopwatch.compare(
            { blackHole(publicKey.isValidSignature(signature, for: message, algorithm: .ed25519)) },
            with: { blackHole(bareKey.isValidSignature(signature, for: message)) }
        )
        add("verify an Ed25519 signature over 500 bytes, beside swift-crypto", times.ratio, "x", .atMost(1.05), report)
    }

    /// The engine for P-521 is libcrypto, since it is faster.
    private static func compareP521(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generate(.p521)
        let publicKey = key.publicKey
        let signature = try key.signature(for: message, algorithm: .ecdsaSHA512)
        let bareKey = try P521.Signing.PublicKey(x963Representation: publicKey.x963Representation ?? [])
        let times = try stopwatch.compare(
            { blackHole(publicKey.isValidSignature(signature, for: message, algorithm: .ecdsaSHA512)) },
            with: {
                let bare = try P521.Signing.ECDSASignature(rawRepresentation: signature)
                blackHole(bareKey.isValidSignature(bare, for: message))
            }
        )
        add("verify a P-521 signature, times as fast as swift-crypto", times.speedup, "x", .atLeast(1.5), report)
    }

    /// Messages go to swift-crypto and digests to libcrypto, which shows both engines from outside.
    private static func compareRSA(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let publicKey = key.publicKey
        let signature = try key.signature(for: message, algorithm: .rsaPKCS1SHA256)
        let digest = HashAlgorithm.sha256.digest(of: message)
        let times = stopwatch.compare(
            { blackHole(publicKey.isValidSignature(signature, for: message, algorithm: .rsaPKCS1SHA256)) },
            with: { blackHole(publicKey.isValidSignature(signature, digest: digest, algorithm: .rsaPKCS1SHA256)) }
        )
        add("verify an RS256 signature, beside libcrypto", times.ratio, "x", nil, report)
        add("verify an RS256 signature of 2048 bits", times.nanosecondsOfA / 1000, "µs", nil, report)
        let signing = try stopwatch.nanoseconds {
            blackHole(try key.signature(for: message, algorithm: .rsaPKCS1SHA256))
        }
        add("make an RS256 signature of 2048 bits", signing / 1000, "µs", nil, report)
    }

    private static func verifyOthers(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) throws {
        for curve in EllipticCurve.all where ![.p256, .p521, .ed25519].contains(curve) {
            guard let algorithm = curve.naturalSignatureAlgorithm else { continue }
            let key = try PrivateKey.generate(curve)
            let publicKey = key.publicKey
            let signature = try key.signature(for: message, algorithm: algorithm)
            let time = stopwatch.nanoseconds {
                blackHole(publicKey.isValidSignature(signature, for: message, algorithm: algorithm))
            }
            add("verify a signature on \(curve.name)", time / 1000, "µs", nil, report)
        }
    }

    private static func add(
        _ name: String,
        _ value: Double,
        _ unit: String,
        _ bar: Bar?,
        _ report: (Figure) -> Void
    ) {
        report(Figure(layer: layer, name: name, value: value, unit: unit, bar: bar))
    }
}
