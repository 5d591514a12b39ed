import Foundation
import IdemixCore
import TestSupport
import Testing

/// Writes what this module made as recorded sessions, and lets the independent program verify it.
final class Oracle {
    static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(fileURLWithPath: $0) }

    private let folder: URL
    private let reference = ["file": "key.xml"]
    private var sessions: [[String: Any]] = []
    private var credentials: [[String: Any]] = []

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
        contributions: [ProofContributions],
        _ list: ProofList,
        kind: Challenge.Kind = .proof,
        issued: IssuedSignature? = nil,
        holderNonce: BigInteger? = nil
    ) {
        var session: [String: Any] = [
            "type": "made here", "expected": ["gabiProofListVerifies": true],
            "verify": ["context": "1", "nonce": "77", "isSignature": kind == .signature],
            "proofs": zip(list.proofs, contributions).map { proof, contributions in
                [
                    "kind": proof.kind, "publicKey": reference, "keyshareServer": ".", "proof": proof.json,
                    "challengeContributions": contributions.all.map(\.decimal),
                ]
            },
        ]
        if let issued, let holderNonce {
            session["nonce2"] = holderNonce.decimal
            let message = ["proof": issued.proof.json, "signature": issued.signature.json]
            session["issueSignatures"] = [["publicKey": reference, "proofSVerifies": true, "message": message]]
        }
        sessions.append(session)
    }

    func add(credential: Credential) {
        let signature = credential.signature
        credentials.append([
            "type": "made here", "publicKey": reference, "clSignatureVerifies": true,
            "attributes": ([secretKey] + credential.attributes).map(\.decimal),
            "signature": ["A": signature.A.decimal, "e": signature.e.decimal, "v": signature.v.decimal],
        ])
    }

    /// The final output of the program.
    func run() throws -> String {
        let session: [String: Any] = ["irmaSessions": sessions, "wallet": ["newCredentials": credentials]]
        try JSONSerialization.data(withJSONObject: session).write(to: folder.appendingPathComponent("session.json"))
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

extension BigInteger {
    fileprivate var base64: String { Data(bytes).base64EncodedString() }
}

extension [Int: BigInteger] {
    fileprivate var json: [String: String] {
        [String: String](uniqueKeysWithValues: map { (String($0.key), $0.value.base64) })
    }
}

extension CLSignature {
    fileprivate var json: [String: String] { ["A": A.base64, "e": e.base64, "v": v.base64] }
}

extension IssuerSignatureProof {
    fileprivate var json: [String: String] { ["c": challenge.base64, "e_response": eResponse.base64] }
}

extension Proof {
    fileprivate var kind: String { if case .disclosure = self { "ProofD" } else { "ProofU" } }

    fileprivate var json: [String: Any] {
        switch self {
        case .disclosure(let proof):
            [
                "c": proof.challenge.base64, "A": proof.A.base64, "e_response": proof.eResponse.base64,
                "v_response": proof.vResponse.base64, "a_responses": proof.attributeResponses.json,
                "a_disclosed": proof.disclosedAttributes.json,
            ]
        case .issuance(let proof):
            [
                "c": proof.challenge.base64, "U": proof.U.base64, "v_prime_response": proof.vPrimeResponse.base64,
                "s_response": proof.secretKeyResponse.base64, "m_user_responses": proof.attributeResponses.json,
            ]
        }
    }
}
