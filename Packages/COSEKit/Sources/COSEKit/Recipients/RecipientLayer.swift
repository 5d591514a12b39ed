/// The layer of a recipient, which decides the context of its `Enc_structure` (RFC 9052 section 5.3).
enum RecipientLayer: String {
    /// A recipient of a COSE_Encrypt.
    case encrypt = "Enc_Recipient"
    /// A recipient of a COSE_Mac.
    case mac = "Mac_Recipient"
    /// A recipient of a recipient.
    case recipient = "Rec_Recipient"
}
