import CryptoCore

/// The receiver's way to the key of a message: through the recipients that the caller has keys for, layer by layer.
struct RecipientKeyResolution: Sendable {
    typealias KeySource = @Sendable (COSERecipient) async throws -> COSERecipientKey?

    /// The caller's policy.
    let policy: COSEPolicy
    /// The application's context for key derivations.
    let context: COSEKeyDerivationContext
    /// The caller's keys.
    let keys: KeySource

    /// Recovers the content key from one of the recipients, and opens the message with it.
    ///
    /// A recipient without a key of the caller is skipped. A recipient that cannot be processed, or whose key does not
    /// open the message, fails the message only if no other recipient opens it (RFC 9052 section 8.5.2).
    ///
    /// - Throws: The error of the first recipient that the caller has a key for.
    func open<Value>(
        _ recipients: [COSERecipient],
        for use: ContentKeyUse,
        layer: RecipientLayer,
        with body: (SecretBytes) async throws(COSEError) -> Value
    ) async throws(COSEError) -> Value {
        try requireDirectMethodsAlone(recipients)
        var failure: COSEError?
        for (index, recipient) in recipients.enumerated() {
            let key: SecretBytes
            do throws(COSEError) {
                guard let given = try await self.key(of: recipient, for: use, layer: layer) else { continue }
                key = given
            } catch {
                failure = failure ?? error.inside("recipients[\(index)]")
                continue
            }
            do throws(COSEError) {
                return try await body(key)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? COSEError(.noRecipientKey, "the caller has a key for no recipient", path: ["recipients"])
    }

    /// The key that a recipient gives, or nil if the caller has no key for it.
    private func key(
        of recipient: COSERecipient,
        for use: ContentKeyUse,
        layer: RecipientLayer
    ) async throws(COSEError) -> SecretBytes? {
        // An algorithm that cannot be read is refused where the recipient is opened.
        let algorithm = try? recipient.headers.algorithm()
        let processed = algorithm?.processedRecipientLabels ?? []
        try recipient.headers.requireCriticalLabels(in: policy.understoodLabels.union(processed))
        if let own = try await COSEError.ofAsyncCaller({ try await keys(recipient) }) {
            let opening = try RecipientOpening(recipient, use: use, layer: layer, context: context, policy: policy)
            return try await opening.key(with: own)
        }
        guard !recipient.recipients.isEmpty else { return nil }
        let opening = try RecipientOpening(recipient, use: use, layer: layer, context: context, policy: policy)
        let keyUse = try ContentKeyUse(opening.algorithm)
        return try await open(recipient.recipients, for: keyUse, layer: .recipient) { key throws(COSEError) in
            try await opening.key(with: .symmetric(key))
        }
    }

    /// A method that gives the content key itself must be the only one (RFC 9052 sections 8.5.1 and 8.5.4).
    private func requireDirectMethodsAlone(_ recipients: [COSERecipient]) throws(COSEError) {
        guard recipients.count > 1 else { return }
        for (index, recipient) in recipients.enumerated() {
            let algorithm: COSEAlgorithm?
            do throws(COSEError) {
                algorithm = try recipient.headers.algorithm()
            } catch {
                // It gives no key. The error is reported if no other recipient gives one.
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
