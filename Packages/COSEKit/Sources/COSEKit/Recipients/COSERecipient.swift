import CBORKit

/// One recipient of a message's key: COSE_recipient (RFC 9052 section 5.1), read and not processed.
public struct COSERecipient: Sendable {
    /// The headers.
    public let headers: COSEHeaders
    /// The encrypted key; empty or nil if the key is not transported.
    public let ciphertext: ArraySlice<UInt8>?
    /// The recipients of the key that encrypts the encrypted key, in a layered message; usually none.
    public let recipients: [COSERecipient]

    private let received: ArraySlice<UInt8>?

    /// - Parameter depth: The number of layers of recipients that may follow, this one counted.
    init(cbor view: CBORView, options: COSEReadingOptions, depth: Int) throws(COSEError) {
        guard depth > 0 else {
            throw COSEError(.limitExceeded, "recipients are nested deeper than \(options.recipientDepth)")
        }
        let elements = try COSEElements(of: view, count: 3...4)
        headers = try elements.headers(options)
        ciphertext = try elements.optionalBytes(2, "ciphertext")
        recipients = elements.count == 3 ? [] : try elements.recipients(3, options, depth: depth - 1)
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, ciphertext: [UInt8]?, recipients: [COSERecipient] = []) {
        self.headers = headers
        self.ciphertext = ciphertext?[...]
        self.recipients = recipients
        received = nil
    }

    func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
            return
        }
        writer.beginArray(count: recipients.isEmpty ? 3 : 4)
        headers.encode(to: &writer)
        writer.write(optionalBytes: ciphertext)
        if !recipients.isEmpty { writer.write(recipients) }
    }
}

extension COSEElements {
    /// An array of recipients.
    func recipients(
        _ index: Int,
        _ options: COSEReadingOptions,
        depth: Int
    ) throws(COSEError) -> [COSERecipient] {
        try list(index, "recipients", limit: options.recipients) { view throws(COSEError) in
            try COSERecipient(cbor: view, options: options, depth: depth)
        }
    }
}

extension CBORWriter {
    /// Writes an array of recipients.
    mutating func write(_ recipients: [COSERecipient]) {
        beginArray(count: recipients.count)
        for recipient in recipients { recipient.encode(to: &self) }
    }
}
