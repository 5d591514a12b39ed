/// Hybrid public key encryption (RFC 9180), in base mode: anyone who knows the recipient's public key can encrypt to it.
///
/// The static functions seal and open single messages. A ``Sender`` and a ``Recipient`` share a key for any number of
/// messages in order, and for secrets that both export.
///
/// ```swift
/// let sealed = try HPKE.seal(message, to: recipient.publicKey, suite: .p256SHA256AES128GCM, info: info)
/// let opened = try HPKE.open(sealed, privateKey: recipient, suite: .p256SHA256AES128GCM, info: info)
/// ```
public enum HPKE {}
