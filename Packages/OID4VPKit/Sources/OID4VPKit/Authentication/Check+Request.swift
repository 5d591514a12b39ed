// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

extension Check {
    /// The client identifier has a known prefix or scheme.
    public static let clientIdentifier: Check = "clientIdentifier"
    /// The wallet knows a client without a prefix.
    public static let clientRegistration: Check = "clientRegistration"
    /// The request object was fetched and is a signed token, or the request may come without one.
    public static let requestObject: Check = "requestObject"
    /// The client of the request object is that of the URL.
    public static let clientMatch: Check = "clientMatch"
    /// The key that signed the request belongs to the client.
    public static let clientBinding: Check = "clientBinding"
    /// The request repeats the value that the wallet sent for it.
    public static let walletNonce: Check = "walletNonce"
    /// The request is for the origin that it came from.
    public static let expectedOrigins: Check = "expectedOrigins"
    /// The client is entitled to the address of the response.
    public static let responseAddress: Check = "responseAddress"
    /// The request keeps to the wallet's profile.
    public static let profile: Check = "profile"
}

extension Reason {
    /// The client is not registered with the wallet.
    public static let unknownClient: Reason = "unknownClient"
    /// The issuer of a verifier attestation is not trusted.
    public static let untrustedAttester: Reason = "untrustedAttester"
    /// There is no request object at its address: the server says that it has none (404) or no longer has it (410).
    ///
    /// Another try with the same link is of no use: the transaction is over, or the request was fetched before.
    public static let requestGone: Reason = "requestGone"
    /// The request object could not be fetched.
    public static let requestNotRetrieved: Reason = "requestNotRetrieved"
    /// The key that signed the request is not one of the client's.
    public static let keyOfAnotherClient: Reason = "keyOfAnotherClient"
    /// The request must be signed, or must not be.
    public static let signatureRule: Reason = "signatureRule"
    /// The address of the response is not one of the client's.
    public static let foreignResponseAddress: Reason = "foreignResponseAddress"
}
