import CryptoCore

/// The receiver's way to the key of a message: through the recipients that the caller has keys for, layer by layer.
struct RecipientKeyResolution: Sendable {
    typealias KeySource = @Sendable (COSERecipient) async throws(COSEError) -> COSERecipientKey?

    /// What the caller accepts.
    let policy: COSEPolicy
    /// What the application knows for key derivations.
    let context: COSEKeyDerivationContext
    /// The caller's keys.
    let keys: KeySource

    /// The key that one of the recipients gives.
    ///
    /// A recipient that the caller has no key for is passed over; one that cannot be processed does not fail the message
    /// as long as another can (RFC 9052 section 8.5.2).
    func key(
        from recipients: [COSERecipient],
        for use: ContentKeyUse,
        layer: RecipientLayer
    ) async throws(COSEError) -> SecretBytes {
        try requireDirectMethodsAlone(recipients)
        var failure: COSEError?
        for (index, recipient) in recipients.enumerated() {
            do throws(COSEError) {
                if let key = try await key(of: recipient, for: use, layer: layer) { return key }
            } catch {
                failure = failure ?? error.inside("recipients[\(index)]")
            }
        }
        throw failure ?? COSEError(.noRecipientKey, "the caller has a key for no recipient", path: ["recipients"])
    }

    /// The key that a recipient gives, or nil where the caller has no key for it.
    private func key(
        of recipient: COSERecipient,
        for use: ContentKeyUse,
        layer: RecipientLayer
    ) async throws(COSEError) -> SecretBytes? {
        try recipient.headers.requireCriticalLabels(in: policy.understoodLabels)
        if let own = try await keys(recipient) {
            let opening = try RecipientOpening(recipient, use: use, layer: layer, context: context, policy: policy)
            return try await opening.key(with: own)
        }
        guard !recipient.recipients.isEmpty else { return nil }
        let opening = try RecipientOpening(recipient, use: use, layer: layer, context: context, policy: policy)
        let keyUse = try ContentKeyUse(opening.algorithm)
        let key = try await key(from: recipient.recipients, for: keyUse, layer: .recipient)
        return try await opening.key(with: .symmetric(key))
    }

    /// A method that gives the content key itself must be the only one (RFC 9052 sections 8.5.1 and 8.5.4).
    private func requireDirectMethodsAlone(_ recipients: [COSERecipient]) throws(COSEError) {
        guard recipients.count > 1 else { return }
        for (index, recipient) in recipients.enumerated() {
            let algorithm: COSEAlgorithm?
            do throws(COSEError) {
                algorithm = try recipient.headers.algorithm()
            } catch {
                // It gives no key: the reason is told where no other recipient gives one either.
                continue
            }
            guard case .keyDistribution(let primitive)? = algorithm?.primitive else { continue }
            guard !primitive.isDirect else {
                throw COSEError(
                    .invalidRecipient,
                    "a method that gives the content key itself must be the only one",
                    path: ["recipients[\(index)]"]
                )
            }
        }
    }
}
