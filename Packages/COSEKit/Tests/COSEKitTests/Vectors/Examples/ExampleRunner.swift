import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

/// Opens the message of an example, and compares what its maker computed on the way.
struct ExampleRunner {
    let example: ExampleFile
    let policy: COSEPolicy

    struct UnknownForm: Error {}

    private var content: [UInt8] { example.input.content }
    private var bytes: [UInt8] { example.output.cbor.bytes }

    /// Indicates whether what the maker computed is compared too: a message that was damaged after making has other
    /// bytes.
    private var compares: Bool { example.fail != true }

    init(_ example: ExampleFile, unprotectedAlgorithm: Bool) {
        self.example = example
        var policy: COSEPolicy = unprotectedAlgorithm ? .everythingUnprotectedToo : .everything
        for layer in example.input.layer?.withInnerLayers ?? [] {
            policy.understoodLabels.formUnion((layer.protected?.crit ?? []).map { COSELabel.text($0) })
        }
        self.policy = policy
    }

    func run() async throws {
        let input = example.input
        if let layer = input.sign0 { return try run(layer, COSESign1(decoding: bytes)) }
        if let layer = input.sign { return try run(layer, COSESign(decoding: bytes)) }
        if let layer = input.mac0 { return try run(layer, COSEMac0(decoding: bytes)) }
        if let layer = input.mac { return try await run(layer, COSEMac(decoding: bytes)) }
        if let layer = input.encrypted { return try run(layer, COSEEncrypt0(decoding: bytes)) }
        if let layer = input.enveloped { return try await run(layer, COSEEncrypt(decoding: bytes)) }
        throw UnknownForm()
    }

    private func expectKeptBytes(_ message: some COSEMessage) {
        #expect(message.encoded(tagged: message.isTagged) == bytes)
    }

    /// Compares a structure with the one that the file gives.
    ///
    /// Two files give one of another context than their own message was made over ("Encrypt1" of an early draft, and a
    /// full countersignature beside an abbreviated one): those are named, and the message itself decides.
    private func expect(_ computed: @autoclosure () throws -> [UInt8], equals given: HexBytes?) throws {
        guard compares, let given else { return }
        let structure = try computed()
        let contexts = try [structure, given.bytes].map { try CBORDocument($0).root.array().element(at: 0).text() }
        guard contexts[0] == contexts[1] else {
            print("vectors:   \(example.title): gives a structure for \(contexts[1]), the message is of \(contexts[0])")
            return
        }
        #expect(structure == given.bytes)
    }

    // MARK: Signatures

    private func run(_ layer: ExampleFile.Layer, _ message: COSESign1) throws {
        expectKeptBytes(message)
        let aad = layer.external?.bytes ?? []
        try expect(message.toBeSigned(externalAAD: aad), equals: example.intermediates.toBeSigned)
        let key = try layer.key.map { try $0.signatureKey(of: message.headers) }
        let verified = try message.verify(with: try #require(key), policy: policy, externalAAD: aad)
        #expect(Array(verified.payload) == content)
        try countersignatures(of: message, layer, example.intermediates)
    }

    private func run(_ layer: ExampleFile.Layer, _ message: COSESign) throws {
        expectKeptBytes(message)
        let signers = layer.signers ?? []
        #expect(signers.count == message.signatures.count)
        for (index, signer) in signers.enumerated() {
            let aad = signer.external?.bytes ?? layer.external?.bytes ?? []
            let computed = example.intermediates.signers?[index]
            try expect(message.toBeSigned(signatureAt: index, externalAAD: aad), equals: computed?.toBeSigned)
            let signature = message.signatures[index]
            let key = try signer.key.map { try $0.signatureKey(of: signature.headers) }
            let verified = try message.verify(
                signatureAt: index,
                with: try #require(key),
                policy: policy,
                externalAAD: aad
            )
            #expect(Array(verified.payload) == content)
            try countersignatures(of: signature, signer, computed)
        }
        try countersignatures(of: message, layer, example.intermediates)
    }

    // MARK: Authentication tags

    private func run(_ layer: ExampleFile.Layer, _ message: COSEMac0) throws {
        expectKeptBytes(message)
        let aad = layer.external?.bytes ?? []
        try expect(message.toBeMaced(externalAAD: aad), equals: example.intermediates.toBeMaced)
        let key = try #require(layer.recipients?.first?.key).symmetricKey()
        let verified = try message.verify(with: key, policy: policy, externalAAD: aad)
        #expect(Array(verified.payload) == content)
        try countersignatures(of: message, layer, example.intermediates)
    }

    private func run(_ layer: ExampleFile.Layer, _ message: COSEMac) async throws {
        expectKeptBytes(message)
        let aad = layer.external?.bytes ?? []
        try expect(message.toBeMaced(externalAAD: aad), equals: example.intermediates.toBeMaced)
        for recipient in layer.holders {
            let verified = try await message.verify(
                with: try #require(recipient.key).recipientKey(),
                policy: policy,
                context: recipient.context(),
                externalAAD: aad
            )
            #expect(Array(verified.payload) == content)
        }
        try countersignatures(of: message, layer, example.intermediates)
        try countersignatures(of: message.recipients, layer)
    }

    // MARK: Encryption

    private func run(_ layer: ExampleFile.Layer, _ message: COSEEncrypt0) throws {
        expectKeptBytes(message)
        let aad = layer.external?.bytes ?? []
        try expect(message.additionalAuthenticatedData(externalAAD: aad), equals: example.intermediates.aad)
        let decrypted = try message.decrypt(
            with: try #require(layer.recipients?.first?.key).symmetricKey(),
            policy: policy,
            baseIV: baseIV(layer, message.headers),
            externalAAD: aad
        )
        #expect(Array(decrypted.payload) == content)
        try countersignatures(of: message, layer, example.intermediates)
    }

    private func run(_ layer: ExampleFile.Layer, _ message: COSEEncrypt) async throws {
        expectKeptBytes(message)
        let aad = layer.external?.bytes ?? []
        try expect(message.additionalAuthenticatedData(externalAAD: aad), equals: example.intermediates.aad)
        for recipient in layer.holders {
            let decrypted = try await message.decrypt(
                with: try #require(recipient.key).recipientKey(),
                policy: policy,
                context: recipient.context(),
                baseIV: try baseIV(layer, message.headers),
                externalAAD: aad
            )
            #expect(Array(decrypted.payload) == content)
        }
        try countersignatures(of: message, layer, example.intermediates)
        try countersignatures(of: message.recipients, layer)
    }

    /// The Base IV: the files give the whole nonce, from which the Partial IV is taken away.
    private func baseIV(_ layer: ExampleFile.Layer, _ headers: COSEHeaders) throws -> [UInt8]? {
        guard var iv = layer.unsent?.iv, let partial = try headers.partialInitializationVector() else { return nil }
        for (index, byte) in zip((iv.count - partial.count)..., partial) { iv[index] ^= byte }
        return iv
    }

    // MARK: Countersignatures

    private func countersignatures(of recipients: [COSERecipient], _ layer: ExampleFile.Layer) throws {
        for (index, recipient) in (layer.recipients ?? []).enumerated() {
            let computed = example.intermediates.recipients?[index]
            try countersignatures(of: recipients[index], recipient, computed)
        }
    }

    private func countersignatures(
        of target: some COSECountersignable,
        _ layer: ExampleFile.Layer,
        _ computed: ExampleFile.Intermediates?
    ) throws {
        let isOld = target.headers.unprotected.contains(.counterSignature)
        let form: COSECountersignatureForm = isOld ? .rfc8152 : .version2
        for (index, signer) in (layer.countersign?.signers ?? []).enumerated() {
            let found = try target.countersignatures(form)
            #expect(found.count == layer.countersign?.signers.count)
            let countersignature = try #require(found.dropFirst(index).first)
            try expect(
                target.toBeCountersigned(form, signer: countersignature.headers),
                equals: computed?.countersigners?[index].toBeSigned
            )
            let key = try #require(signer.key).publicKey()
            _ = try target.verify(countersignature, with: key, policy: policy)
        }
        try abbreviatedCountersignature(of: target, layer, computed)
    }

    private func abbreviatedCountersignature(
        of target: some COSECountersignable,
        _ layer: ExampleFile.Layer,
        _ computed: ExampleFile.Intermediates?
    ) throws {
        guard let signer = layer.countersign0?.signers.first else { return }
        let isOld = target.headers.unprotected.contains(.counterSignature0)
        let form: COSECountersignatureForm = isOld ? .rfc8152 : .version2
        try expect(
            target.toBeCountersigned(form, signer: nil),
            equals: computed?.countersign0?.first?.toBeSigned
        )
        _ = try target.verifyAbbreviatedCountersignature(
            form,
            with: try #require(signer.key).publicKey(),
            algorithm: try #require(COSEAlgorithm(exampleName: signer.unsent?.algorithm))
        )
    }
}

extension ExampleFile.Layer {
    /// The recipients whose key the file has, in every layer.
    var holders: [ExampleFile.Layer] {
        (recipients ?? []).flatMap { $0.withInnerLayers }.filter { $0.key != nil }
    }

    /// The shared context of a key derivation; some files lack salt and nonce, which the RFC requires of senders.
    func context() throws -> COSEKeyDerivationContext {
        var context = unsent?.context ?? COSEKeyDerivationContext()
        context.senderKey = try senderKey?.publicKey()
        context.allowsMissingSaltAndNonce = true
        return context
    }
}

extension ExampleKey {
    /// The key of a signer; a hash-based one has no COSE_Key here, so that any other stands in to see the refusal.
    func signatureKey(of headers: COSEHeaders) throws -> PublicKey {
        if type == "HSS-LMS" { return try PrivateKey.generate(.p256).publicKey }
        return try publicKey()
    }
}

extension COSEAlgorithm {
    /// The algorithm that the examples call by a name.
    init?(exampleName: String?) {
        switch exampleName {
        case "ES256": self = .es256
        case "ES384": self = .es384
        case "ES512": self = .es512
        case "EdDSA": self = .edDSA
        default: return nil
        }
    }
}
