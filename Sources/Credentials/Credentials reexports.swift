@_exported public import CBORKit
@_exported public import COSEKit
@_exported public import CryptoCore
@_exported public import IdemixCore
@_exported public import JSONKit
@_exported public import MdocKit
