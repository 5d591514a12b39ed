import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// Writes what this module made as recorded sessions, and lets the independent program verify it.
final class Oracle {
    static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(fileURLWithPath: $0) }

    private let folder: URL
    private let reference: JSONValue = ["file": "key.xml"]
    private var sessions: [JSONValue] = []
    private var credentials: [JSONValue] = []

    init(_ world: TestWorld) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(world.publicKey.xml).write(to: folder.appendingPathComponent("key.xml"))
        secretKey = world.secretKey.secretInteger
    }

    private let secretKey: BigInteger

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func add(
        contributions: [IdemixProofContributions],
        _ list: IdemixProofList,
        kind: IdemixChallenge.Kind = .proof,
        issued: IssuedCLSignature? = nil,
        holderNonce: BigInteger? = nil
    ) throws {
        var session: JSONObject = [
            "type": "made here", "expected": ["gabiProofListVerifies": true],
            "verify": ["context": "1", "nonce": "77", "isSignature": .bool(kind == .signature)],
        ]
        let proofs: [JSONValue] = try zip(list.proofs, contributions).map { proof, contributions in
            [
                "kind": proof.kind, "publicKey": reference, "keyshareServer": ".", "proof": try proof.json(),
                "challengeContributions": .array(contributions.all.map { .string($0.decimal) }),
            ]
        }
        session["proofs"] = .array(proofs)
        if let issued, let holderNonce {
            session["nonce2"] = .string(holderNonce.decimal)
            session["issueSignatures"] = [
                ["publicKey": reference, "proofSVerifies": true, "message": try issued.json()]
            ]
        }
        sessions.append(.object(session))
    }

    func add(credential: IdemixCredential) {
        let signature = credential.signature
        credentials.append([
            "type": "made here", "publicKey": reference, "clSignatureVerifies": true,
            "attributes": .array(([secretKey] + credential.attributes).map { .string($0.decimal) }),
            "signature": [
                "A": .string(signature.A.decimal), "e": .string(signature.e.decimal),
                "v": .string(signature.v.decimal),
            ],
        ])
    }

    /// The final output of the program.
    func run() throws -> String {
        let session: JSONValue = [
            "irmaSessions": .array(sessions), "wallet": ["newCredentials": .array(credentials)],
        ]
        try Data(session.encoded()).write(to: folder.appendingPathComponent("session.json"))
        let process = Process()
        process.executableURL = Self.python
        let script = try #require(VectorSet("irma").file("verify_vectors.py"))
        process.arguments = [script.url.path, folder.appendingPathComponent("x").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension IdemixProof {
    fileprivate var kind: JSONValue { if case .disclosure = self { "ProofD" } else { "ProofU" } }
}
