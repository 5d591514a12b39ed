import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import TestSupport
import Testing

extension MdocVectorChecks {
    /// A transcript with its digest.
    static func transcript(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let bytes = try vector.bytes("hex")
        let transcript = try MdocVectorContext.read(vector.id, \SessionTranscript.deviations) {
            options throws(MdocError) in try SessionTranscript(decoding: bytes, options: options)
        }
        #expect(transcript.taggedBytes == bytes, "\(vector.id)")
        #expect(try HashAlgorithm.sha256.digest(of: transcript.taggedBytes) == vector.bytes("sha256"), "\(vector.id)")
        let rebuilt = SessionTranscript(
            deviceEngagementBytes: transcript.deviceEngagementBytes,
            eReaderKeyBytes: transcript.eReaderKeyBytes,
            handover: transcript.handover
        )
        #expect(rebuilt == transcript, "\(vector.id)")
    }

    /// The session keys, from the shared secret and one of the known transcripts.
    static func sessionKeys(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let secret = try vector.bytes("zab")
        for name in ["skReader", "skDevice"] {
            let info = name == "skReader" ? "SKReader" : "SKDevice"
            let expected = try vector.bytes(name)
            let keys = try context.transcripts.map { try key(secret, $0, info) }
            #expect(keys.contains(SecretBytes(expected)), "\(vector.id): \(name)")
        }
        let secrets = context.privateKeys.flatMap { own in
            context.privateKeys.compactMap { try? own.sharedSecret(with: $0.publicKey) }
        }
        #expect(secrets.contains(SecretBytes(secret)), "\(vector.id): the shared secret is of no known keys")
    }

    private static func key(_ secret: [UInt8], _ transcript: SessionTranscript, _ info: String) throws -> SecretBytes {
        try HKDF.deriveKey(
            hash: .sha256,
            inputKeyMaterial: secret,
            salt: HashAlgorithm.sha256.digest(of: transcript.taggedBytes),
            info: Array(info.utf8),
            length: 32
        )
    }

    /// An encrypted message, decrypted by the other side and encrypted anew to the same bytes.
    static func sessionMessage(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let bytes = try vector.bytes("hex")
        let plaintext = try #require(context.message(named: vector.text("plaintext")), "\(vector.id)")
        let establishment = try? SessionEstablishment(decoding: bytes, options: .deployed)
        let data = try #require(
            try establishment?.data ?? SessionData(decoding: bytes, options: .deployed).data,
            "\(vector.id)"
        )
        let isFromReader = try vector.bytes("iv")[7] == 0
        let decrypted = try sessions(context, isFromReader ? .device : .reader).filter { session in
            var session = session
            return (try? session.decrypt(data)) == plaintext
        }
        #expect(!decrypted.isEmpty, "\(vector.id): no known keys decrypt it")
        let encrypted = try sessions(context, isFromReader ? .reader : .device).map { session in
            var session = session
            return try session.encrypt(plaintext)
        }
        #expect(encrypted.contains([UInt8](data)), "\(vector.id): no known keys encrypt to it")
        guard let establishment else {
            #expect(SessionData(data: [UInt8](data)).encoded() == bytes, "\(vector.id)")
            return
        }
        let rebuilt = try SessionEstablishment(
            eReaderKeyBytes: [UInt8](establishment.eReaderKeyBytes),
            data: [UInt8](data)
        )
        #expect([UInt8](rebuilt.encodedBytes) == bytes, "\(vector.id)")
    }

    /// A session for every known transcript and shared secret.
    private static func sessions(
        _ context: MdocVectorContext,
        _ role: SessionEncryption.Role
    ) throws -> [SessionEncryption] {
        let secrets = context.vectors.compactMap { $0["zab"]?.hex.map { SecretBytes($0) } }
        return try context.transcripts.flatMap { transcript in
            try secrets.map { try SessionEncryption(role: role, sharedSecret: $0, sessionTranscript: transcript) }
        }
    }

    /// A message that carries a status alone.
    static func sessionStatus(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let message = try SessionData(decoding: vector.bytes("hex"), options: .deployed)
        #expect(message.status?.rawValue == vector["expected"]?["status"]?.integer.map(UInt64.init), "\(vector.id)")
        #expect(try message.encoded() == vector.bytes("hex"), "\(vector.id)")
    }

    /// The text of a QR code with its engagement.
    static func qrEngagement(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let bytes = try vector.bytes("hex")
        let text = try vector.text("qrText")
        let engagement = try MdocVectorContext.read(vector.id, \DeviceEngagement.deviations) {
            options throws(MdocError) in try DeviceEngagement(uri: text, options: options)
        }
        #expect([UInt8](engagement.encodedBytes) == bytes, "\(vector.id)")
        #expect(engagement.uri == text, "\(vector.id)")
        if let key = vector["eDeviceKeyBytes"]?.hex {
            #expect([UInt8](engagement.eDeviceKeyBytes) == key, "\(vector.id)")
        }
        guard let expected = vector["expected"] else { return }
        #expect(engagement.version.description == expected["version"]?.string, "\(vector.id)")
        #expect(engagement.retrievalMethods.count == expected["retrievalMethods"]?.array?.count, "\(vector.id)")
        let key = try engagement.eDeviceKey.publicKey()
        #expect(key.x == expected["eDeviceKey"]?["x"]?.hex, "\(vector.id)")
        #expect(key.y == expected["eDeviceKey"]?["y"]?.hex, "\(vector.id)")
        let rebuilt = try DeviceEngagement(eDeviceKey: key, retrievalMethods: engagement.retrievalMethods)
        #expect([UInt8](rebuilt.encodedBytes) == bytes, "\(vector.id)")
    }

    /// A Handover Select message with its engagement, read and rebuilt.
    static func nfcEngagement(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let message = try vector.bytes("hex")
        let select = try MdocVectorContext.read(vector.id, \HandoverSelect.deviations) { options throws(MdocError) in
            try HandoverSelect(decoding: message, options: options)
        }
        #expect(try [UInt8](select.deviceEngagement.encodedBytes) == vector.bytes("deviceEngagement"), "\(vector.id)")
        let known = context.transcripts.compactMap(\.deviceEngagementBytes)
        #expect(known.contains(select.deviceEngagement.taggedBytes), "\(vector.id)")
        let rebuilt = try HandoverSelect(carriers: select.carriers, deviceEngagement: select.deviceEngagement)
        #expect(try rebuilt.encodedBytes == vector.bytes("hex"), "\(vector.id)")
        try handoverMessage(vector, context)
    }

    /// A Handover Request message, read and rebuilt.
    static func nfcRequest(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let message = try vector.bytes("hex")
        let request = try MdocVectorContext.read(vector.id, \HandoverRequest.deviations) { options throws(MdocError) in
            try HandoverRequest(decoding: message, options: options)
        }
        let rebuilt = try HandoverRequest(
            carriers: request.carriers,
            readerEngagement: request.readerEngagement,
            collisionResolution: request.collisionResolution
        )
        #expect(try rebuilt.encodedBytes == vector.bytes("hex"), "\(vector.id)")
        try handoverMessage(vector, context)
    }

    /// An NDEF message of the handover, which stands in the handover of one of the known transcripts.
    private static func handoverMessage(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let text = try vector.text("hex")
        #expect(context.transcripts.contains { $0.handover.encodedBytes.hex.contains(text) }, "\(vector.id)")
    }
}
