/// A fault of a member or parameter that more than one module tells apart: its raw value is the message of the error.
package enum MessageFault: String {
    /// A required member is missing.
    case missing = "it is missing"
    /// A text is empty, or the value is not text.
    case emptyText = "it must be a non-empty text"
    /// An array holds an empty text, or something that is not text.
    case emptyTexts = "it must hold non-empty texts"
    /// An array is empty, or the value is not an array.
    case emptyArray = "it must be a non-empty array"
    /// The value is not a truth value.
    case notBoolean = "it must be true or false"
    /// The metadata of the verifier have no keys.
    case noEncryptionKey = "there is no key to encrypt to"
    /// None of the keys can be used.
    case noUsableKey = "no key can be used"
    /// The metadata of a verifier of drafts before 26 name no algorithm for the response.
    case noEncryptionAlgorithm = "no algorithm is named"
    /// Wallet and verifier have no content encryption in common.
    case noCommonEncryption = "no content encryption is supported by both"
}

extension OID4VPError {
    /// Makes an error about a fault.
    package init(_ code: Code, _ fault: MessageFault, path: [String] = []) {
        self.init(code, fault.rawValue, path: path)
    }
}
