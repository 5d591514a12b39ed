import CredentialWallet
import CredentialWalletSQLite
import CryptoCore
import Foundation
import MdocWallet

let keyFromKeychain: SecretBytes = given()
let path = ""
let copies: [NewMdocCopy] = []
let chosen: [String] = []
// in CredentialStore+Offering.swift
let store: MdocCredentialStore = given()
// in CredentialWalletSQLite.md
let url = URL(filePath: "/var/mobile/wallet.sqlite")
