extension MdocError {
    /// The kind of an ``MdocError``; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// The bytes are not well-formed CBOR, hold duplicate keys, or are followed by others.
        public static let malformedCBOR = Code("malformedCBOR")
        /// A member that the structure must have is missing.
        public static let missingMember = Code("missingMember")
        /// An item has another type than the structure demands.
        public static let unexpectedType = Code("unexpectedType")
        /// An item has the right type but not a value that the structure allows.
        public static let invalidValue = Code("invalidValue")
        /// More or larger items than ``MdocLimits`` allows.
        public static let limitExceeded = Code("limitExceeded")
        /// The structure's major version is not 1.
        public static let unsupportedVersion = Code("unsupportedVersion")
        /// A deviation from the standard was met that ``MdocReadingOptions/tolerances`` does not list.
        public static let deviation = Code("deviation")
        /// A COSE structure is malformed or lacks a header that it must have.
        public static let malformedCOSE = Code("malformedCOSE")
        /// A DeviceResponse has a status other than 0, so that none of it may be used.
        public static let responseStatus = Code("responseStatus")
        /// The text is not an `mdoc:` URI.
        public static let malformedURI = Code("malformedURI")
        /// The data element is already there.
        public static let duplicateElement = Code("duplicateElement")
        /// A key or algorithm cannot be used for this purpose.
        public static let unsupportedKey = Code("unsupportedKey")
        /// The signing key is not the one that the structure names.
        public static let keyMismatch = Code("keyMismatch")
        /// A signer or key agreement failed, or gave something that does not verify.
        public static let signingFailed = Code("signingFailed")
        /// An incomplete answer: the request or the standard requires more to be returned with it.
        public static let requestUnsatisfied = Code("requestUnsatisfied")
        /// A credential outside its validity period: expired, or not yet valid.
        public static let outsideValidity = Code("outsideValidity")
        /// A session message could not be decrypted.
        public static let decryptionFailed = Code("decryptionFailed")
        /// The session has ended, or its keys may not be used any more.
        public static let sessionEnded = Code("sessionEnded")
        /// A trust anchor with this identifier already exists, and is another one.
        public static let duplicateTrustAnchor = Code("duplicateTrustAnchor")
        /// A list of a provider that is earlier than the one that was taken last.
        public static let supersededList = Code("supersededList")
        /// A list in the name of a provider whose lists had a signer below another trust anchor.
        public static let listSignerMismatch = Code("listSignerMismatch")
        /// A store cannot be read or written: no such folder, no permission, no space, a wrong key size, or it is closed.
        public static let storageFailed = Code("storageFailed")
        /// The content of a store is not what was written there, or the key is another one.
        public static let storageDamaged = Code("storageDamaged")
        /// A value of a store was changed by another task or process meanwhile.
        public static let storageConflict = Code("storageConflict")
        /// A store was set back to an earlier state, such as by a copy of its file.
        public static let storageRolledBack = Code("storageRolledBack")
        /// A credential that is not in the store.
        public static let unknownCredential = Code("unknownCredential")
        /// A copy of a credential that its rotation policy allows no more uses of.
        public static let spentCopy = Code("spentCopy")
        /// A copy of a credential that is in the store already.
        public static let duplicateCopy = Code("duplicateCopy")
        /// The input holds no certificate, or one that cannot be read.
        public static let malformedCertificate = Code("malformedCertificate")
        /// A trust list could not be fetched.
        public static let notFetched = Code("notFetched")
        /// A request waits for its response already.
        public static let requestPending = Code("requestPending")
        /// There is no request that a response could answer.
        public static let noRequest = Code("noRequest")
        /// A channel to the other side cannot be opened, or does not carry a message.
        public static let transportFailed = Code("transportFailed")
        /// Another task waits for the same thing already.
        public static let concurrentUse = Code("concurrentUse")
        /// The bytes are not an NDEF message.
        public static let malformedNDEF = Code("malformedNDEF")
        /// An NDEF message has a record in chunks, which handover messages never need.
        public static let chunkedNDEFRecord = Code("chunkedNDEFRecord")
        /// An NDEF message is not the handover message that it should be.
        public static let malformedHandover = Code("malformedHandover")
        /// The other side answers the handover with an error, or with a carrier that was not offered.
        public static let handoverRefused = Code("handoverRefused")
        /// The bytes are not a command or response APDU.
        public static let malformedAPDU = Code("malformedAPDU")
        /// A card answers a command with a status word that the exchange cannot go on after.
        public static let unexpectedStatusWord = Code("unexpectedStatusWord")
        /// A BLE value or message part does not have the form that it should.
        public static let malformedBLEData = Code("malformedBLEData")
        /// A message or call that the state of the exchange does not allow.
        public static let unexpectedMessage = Code("unexpectedMessage")
        /// The JSON of an interface is not the object that it should be, or a text in it is not base64url.
        public static let malformedJSON = Code("malformedJSON")
        /// The wallet was called from another website than the reader's.
        public static let originMismatch = Code("originMismatch")
    }
}
